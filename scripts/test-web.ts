// `npm run test:web`: all browser tests, or the named files.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { SKIPPED } from '../apps/web/e2e/chromium.ts'
import { root } from './quick-checks.ts'

const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync('apps/web/e2e/**/*.{test,browser}.ts', { cwd: root }).sort()
const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), ...files], {
  cwd: root,
  stdio: 'inherit',
  // One after the other: they share the built apps, and some measure time.
  env: { ...process.env, TEST_LANES: '1' },
})
if (SKIPPED) console.log(`Skipped: all browser tests, ${SKIPPED}.`)
process.exit(status ?? 1)
