// `npm run typecheck`: types of everything, by the TypeScript compiler.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './quick-checks.ts'

// Each web app is a program of its own: its links are typed by its own routes.
const projects = globSync(['tsconfig.json', 'apps/web/tsconfig.json', 'apps/web/*/tsconfig.json'], { cwd: root }).sort()
for (const project of projects) {
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', project], {
    cwd: root,
    stdio: 'inherit',
  })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} types of ${project}`)
  if (status !== 0) process.exitCode = 1
}
