// `npm run soak [-- --factor 20] [-- --seed N]`: the randomised tests of `npm test` with many more repetitions, and
// some that take too long for it. Prints its seed, so that a failure can be repeated.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { factor: { type: 'string', default: '20' }, seed: { type: 'string' } } })
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
const files = globSync(['packages/**/*.test.ts', 'apps/**/*.test.ts'], { cwd: root })
  .filter((file) => /soakRuns|soakSeed|fast-check/.test(readFileSync(join(root, file), 'utf8')))
  .sort()

console.log(
  `Soak: ${files.length} files, ${values.factor} times the usual runs. Repeat with: npm run soak -- --factor ${values.factor} --seed ${seed}`,
)
const { status } = spawnSync(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(root, 'scripts/test.ts'), ...files],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SOAK_FACTOR: values.factor, SOAK_SEED: seed },
  },
)
console.log(`Soak with seed ${seed}: ${status === 0 ? 'passed' : 'FAILED'}`)
process.exitCode = status ?? 1
