import { openedBy, type ServiceTx, setting, type TenantTx } from './transaction.ts'
import { Door, kyselyOn } from './transaction-connection.ts'

/**
 * Runs `work` as the service of the clinic in context: with these permissions, and with the policies for what only the
 * service writes. The route declares the codes; work of the system itself keeps every permission with '*'. Row-level
 * security still gives rows of this clinic only.
 *
 * The settings travel with the queries beside them; nobody waits for them. While `work` runs, `tx` refuses queries:
 * one that is sent beside it would have the same rights.
 */
export async function asService<Result>(
  tx: TenantTx,
  codes: readonly string[] | '*',
  work: (tx: ServiceTx) => Promise<Result>,
): Promise<Result> {
  const opened = openedBy(tx)
  if (opened === undefined) throw new Error('asService needs the transaction that the request or job opened.')
  const { connection, door, context } = opened
  if (door.refusal !== undefined) throw new Error(door.refusal)
  const { serviceCodes: declared } = context
  const undeclared =
    declared === '*' ? [] : [...(codes === '*' ? ['*'] : codes)].filter((code) => !declared?.includes(code))
  if (declared === undefined || undeclared.length > 0)
    throw new Error(`The route does not declare to work as the service with: ${undeclared.join(', ') || 'none'}.`)
  const inside = new Door(connection, true)
  door.refusal = 'The service is at work in this transaction: use the transaction that asService passes.'
  connection.send(settings(permissionsOf(codes), 'on')).catch(() => {})
  try {
    return await work(kyselyOn(inside) as ServiceTx)
  } finally {
    inside.refusal = 'The work of the service has ended. A query was not awaited, or its transaction was kept.'
    connection.send(settings(context.permissions, '')).catch(() => {})
    door.refusal = undefined
  }
}

/** As the settings want them (see database/functions/context.sql). */
export const permissionsOf = (codes: readonly string[] | '*'): string =>
  codes === '*' ? '*' : codes.length === 0 ? '' : `,${codes.join(',')},`

const settings = (permissions: string, service: 'on' | '') =>
  `select where ${setting('app.permissions', permissions)} and ${setting('app.service', service)}`
