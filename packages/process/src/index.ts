export * from './database-url.ts'
export * from './metrics.ts'
export * from './run-entry.ts'
export * from './shutdown.ts'
