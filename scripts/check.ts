// `npm test`: format, lint, types, imports and all tests, one of which checks generated files. Prints the time of each
// part.
import { spawn } from 'node:child_process'
import { SKIPPED } from '../apps/web/e2e/chromium.ts'
import { type Check, quickChecks, root } from './quick-checks.ts'

const node = process.execPath

function run({ command, args, env }: Check, live: boolean): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const stdio = live ? 'inherit' : 'pipe'
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio })
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('exit', (code) => resolve({ code: code ?? 1, output }))
  })
}

// The tests sometimes wait for the database: the checks run beside them. Failures are repeated at the end.
const tests = run({ name: 'tests', command: node, args: ['scripts/test.ts'] }, true)
const failures: string[] = []
for (const check of quickChecks) {
  const started = performance.now()
  const { code, output } = await run(check, false)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`)
  if (code !== 0) {
    failures.push(check.name)
    console.log(output)
  }
}
if ((await tests).code !== 0) failures.push('tests')
if (failures.length > 0) console.log(`FAIL ${failures.join(', ')}: see above`)
if (SKIPPED) console.log(`Skipped: the browser tests, ${SKIPPED}.`)
process.exit(failures.length > 0 ? 1 : 0)
