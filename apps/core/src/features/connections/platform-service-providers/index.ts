export { createPlatformProviders } from './cache.ts'
export { sesSettings } from './ses-settings.ts'
