// `npm run typecheck`: types of everything, by the TypeScript compiler.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './quick-checks.ts'

const projects = ['tsconfig.json', 'apps/web/tsconfig.json', 'apps/web/e2e/tsconfig.json'].filter((path) =>
  existsSync(join(root, path)),
)
for (const project of projects) {
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', project], {
    cwd: root,
    stdio: 'inherit',
  })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} types of ${project}`)
  if (status !== 0) process.exitCode = 1
}
