import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Keeps what Node compiles of every module that is imported after this call, for the next start: a third less processor
 * time. In our own folder, because who can write there can run code as this process. Where nobody can write, nothing is kept.
 */
export function keepCompiled(): void {
  enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'))
}
