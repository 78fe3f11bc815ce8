import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export interface Check {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name)

/** Format, lint with types, and import rules: the checks of `npm test` that run no test, and all of `npm run lint`. */
export const quickChecks: readonly Check[] = [
  { name: 'format', command: bin('biome'), args: ['check', '--error-on-warnings', '.'] },
  // A short-lived Go program: garbage collection took a sixth of its time.
  {
    name: 'lint and types',
    command: bin('oxlint'),
    args: ['--type-check', '--deny-warnings'],
    env: { GOGC: 'off', GOMEMLIMIT: '3GiB' },
  },
  { name: 'imports', command: process.execPath, args: ['scripts/lint-imports.ts'] },
]
