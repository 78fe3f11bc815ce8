// Runs Redocly's OpenAPI linter over all documents; any problem fails.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocuments } from './openapi/documents.ts'

interface Problem {
  ruleId: string
  message: string
  location: { pointer?: string }[]
}

const root = join(import.meta.dirname, '..')
const LINTER = join(root, 'node_modules/@redocly/cli/bin/cli.js')
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

function problemsOf(path: string): Problem[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [LINTER, 'lint', '--config', join(root, 'redocly.yaml'), '--format', 'json', '--max-problems', '1000', path],
    { encoding: 'utf8', env: { ...process.env, ...QUIET }, maxBuffer: 64 * 1024 * 1024 },
  )
  if (!stdout.startsWith('{')) throw new Error(`The linter failed: ${stdout}${stderr}`)
  return (JSON.parse(stdout) as { problems: Problem[] }).problems
}

const folder = await mkdtemp(join(tmpdir(), 'tendon-openapi-'))
try {
  for (const [name, document] of Object.entries(await openApiDocuments())) {
    const path = join(folder, `${name}.json`)
    await writeFile(path, JSON.stringify(document, null, 2))
    const problems = problemsOf(path)
    for (const { ruleId, message, location } of problems)
      console.log(`${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)
    console.log(`OpenAPI document of ${name}: ${problems.length} problems.`)
    if (problems.length > 0) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true })
}
