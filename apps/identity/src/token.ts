import { demoAccounts } from './demo-accounts.ts'
import { readEnvironment } from './environment.ts'
import { complaintOf, Refusal } from './refusals.ts'
import { mintSessionToken } from './session-token.ts'

const usage = `Usage: npm run token -- <e-mail>

Prints a session token of one hour for that person. Any e-mail works; the demo accounts are:
${demoAccounts.map(({ email, name, role }) => `  ${email.padEnd(32)}${name}, ${role}`).join('\n')}
`

try {
  const environment = readEnvironment(process.env)
  const [email, ...rest] = process.argv.slice(2)
  if (!email || rest.length > 0) throw new Refusal(usage)
  process.stdout.write(`${await mintSessionToken({ ...environment, email })}\n`)
} catch (error) {
  process.stderr.write(`${complaintOf(error)}\n`)
  process.exitCode = 1
}
