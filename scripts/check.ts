// `npm test`: format, lint, imports, types, generated files, all tests; each part with its time.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const node = process.execPath

interface Check {
  name: string
  command: string
  args: string[]
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const quick: Check[] = [
  { name: 'format', command: bin('biome'), args: ['check', '--error-on-warnings', '.'] },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'imports', command: node, args: ['scripts/lint-imports.ts'] },
  { name: 'types', command: bin('tsc'), args: ['--noEmit'] },
  { name: 'generated files', command: node, args: ['scripts/generate.ts', '--check'] },
]

function run({ command, args }: Check, live: boolean): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: live ? 'inherit' : 'pipe' })
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

let failed = false
for (const check of quick) {
  const started = performance.now()
  const { code, output } = await run(check, false)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  if (code !== 0) {
    failed = true
    console.log(output)
  }
}
const tests = await run({ name: 'tests', command: node, args: ['scripts/test.ts'] }, true)
process.exit(failed || tests.code !== 0 ? 1 : 0)
