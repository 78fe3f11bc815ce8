import { readFileSync } from 'node:fs'

const manifest = new URL('../../../package.json', import.meta.url)

/** The version of the platform, from the root package. */
export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
