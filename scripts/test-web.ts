// `npm run test:web`: all browser tests, or the named files.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { buildWeb } from '../apps/web/build.ts'
import { SKIPPED } from '../apps/web/e2e/chromium.ts'
import { root } from './quick-checks.ts'

const FOLDER = 'apps/web/e2e'
const testsOf = (names: readonly string[]) => names.map((name) => `${FOLDER}/${name}.browser.ts`)
/** They take longest: started first, so that both lanes end at about the same time. */
const LONGEST = testsOf(['every-page', 'portal-pages', 'me'])
/** They measure time or show moving pictures at full speed: one after the other, at the end. */
const ALONE = testsOf([
  'many-patients',
  'session-camera',
  'session-home',
  'session-loop',
  'session-picture',
  'session-resume',
  'speed',
])

const named = process.argv.slice(2).map((file) => relative(root, resolve(file)))
const files = named.length > 0 ? named : globSync(`${FOLDER}/**/*.{test,browser}.ts`, { cwd: root }).sort()
const alone = files.filter((file) => ALONE.includes(file))
const together = files.filter((file) => !ALONE.includes(file))
const longest = together.filter((file) => LONGEST.includes(file))
const others = together.filter((file) => !LONGEST.includes(file))

// Before the lanes, which share the built apps.
if (!SKIPPED) await buildWeb(join(root, 'apps/web/dist'), 'local')
const codes = [run([...longest, ...others], 2), run(alone, 1)]
if (SKIPPED) console.log(`Skipped: all browser tests, ${SKIPPED}.`)
process.exit(codes.every((code) => code === 0) ? 0 : 1)

function run(tests: readonly string[], lanes: number): number {
  if (tests.length === 0) return 0
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_LANES: String(lanes) },
  })
  return status ?? 1
}
