import { runEntry } from '@tendon/process'
import { runAuditVerify } from './audit-verify-command.ts'

runEntry(async () => {
  const holds = await runAuditVerify(process.env, (line) => process.stdout.write(`${line}\n`))
  if (!holds) process.exitCode = 1
})
