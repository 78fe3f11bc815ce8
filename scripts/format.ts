// `npm run format`: formats every file and sorts imports.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { status } = spawnSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', '.'], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
