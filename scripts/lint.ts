// `npm run lint`: format, lint with types and import rules, without tests.
import { spawnSync } from 'node:child_process'
import { quickChecks, root } from './quick-checks.ts'

for (const { name, command, args, env } of quickChecks) {
  const { status } = spawnSync(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (status !== 0) process.exitCode = 1
}
