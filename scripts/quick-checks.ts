import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export interface Check {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
}

export const bin = (name: string) => join(root, 'node_modules', '.bin', name)

/** Format, lint with types, and import rules: the checks of `npm test` that run no test, and all of `npm run lint`. */
export const quickChecks: readonly Check[] = [
  { name: 'format', command: bin('biome'), args: ['check', '--error-on-warnings', '.'] },
  { name: 'lint and types', command: process.execPath, args: ['scripts/lint-code.ts'] },
  { name: 'imports', command: process.execPath, args: ['scripts/lint-imports.ts'] },
]
