// `npm run test:bare`: the tests that start programs, as on a machine that has none of the optional ones (ffmpeg, a
// browser, Redis, espeak-ng, PostgreSQL 15): PATH holds links to what every machine has and nothing else. A
// test that needs another program fails here until it says why it is skipped.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { findProgram } from '@tendon/testing/programs'
import { root } from './quick-checks.ts'
import { testsWithPrograms } from './test-bare/choose.ts'

const EVERYWHERE = ['cp', 'kill', 'sh']
/** Each names a program directly. */
const NAMED = ['BROWSER_TESTS', 'CHROMIUM_PATH', 'FFMPEG_PATH', 'POSTGRESQL_FOLDER']

const files = globSync(['apps/**/*.ts', 'packages/**/*.ts', 'scripts/**/*.ts'], {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
}).map((file) => file.split(sep).join('/'))
const tests = testsWithPrograms(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])))

const folder = mkdtempSync(join(tmpdir(), 'tendon-programs-'))
for (const name of EVERYWHERE) {
  const path = findProgram(name)
  if (path !== undefined) symlinkSync(path, join(folder, name))
}
const others = Object.entries(process.env).filter(([name]) => !NAMED.includes(name))
console.log(`${tests.length} files with tests that start programs; of these there are only ${EVERYWHERE.join(', ')}.`)
const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...Object.fromEntries(others),
    PATH: [dirname(process.execPath), folder].join(delimiter),
    POSTGRESQL_FOLDER: folder,
  },
})
rmSync(folder, { recursive: true })
process.exit(status ?? 1)
