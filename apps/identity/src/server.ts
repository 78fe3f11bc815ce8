import { demoAccounts } from './demo-accounts.ts'
import { readEnvironment } from './environment.ts'
import { buildIdentity } from './identity.ts'
import { complaintOf, PortInUse } from './refusals.ts'

const complain = (error: unknown) =>
  void process.stderr.write(`${complaintOf(error)}
`)

try {
  const environment = readEnvironment(process.env)
  const identity = await buildIdentity({ ...environment, accounts: demoAccounts, onError: complain })
  await identity.listen()
  process.send?.({ listening: 'IDENTITY_PORT' })
  process.stdout.write(`Identity provider for local use: ${identity.issuer}\n`)
  // 'disconnect': the parent process ended, so release the port.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'])
    process.once(event, () => void identity.close().finally(() => process.exit()))
} catch (error) {
  complain(error)
  // npm start, if that is our parent, may choose another port.
  if (error instanceof PortInUse) process.send?.({ portInUse: 'IDENTITY_PORT' })
  process.exitCode = 1
}
