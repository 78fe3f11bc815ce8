import { createSecretBox, type Keyring } from '@tendon/secrets'
import type { Client } from 'pg'

/** Columns with values that are sealed, or keys that are wrapped, under a key of KEYRING. */
export const SEALED_COLUMNS = [
  { table: 'audit_keys', column: 'wrapped_key' },
  { table: 'integration_messages', column: 'body_encrypted' },
  { table: 'organization_integrations', column: 'credentials_encrypted' },
  { table: 'patient_profiles', column: 'national_id_encrypted' },
  { table: 'platform_service_providers', column: 'credentials_encrypted' },
  { table: 'webhook_subscriptions', column: 'secret_encrypted' },
  { table: 'webhook_subscriptions', column: 'previous_secret_encrypted' },
] as const
/** They are deleted within a day, so they are not wrapped again. */
export const SHORT_LIVED_COLUMNS = ['idempotency_keys.response', 'oauth_states.verifier_encrypted']

type SealedColumn = (typeof SEALED_COLUMNS)[number]
interface StoredValue {
  id: string
  organization_id: string | null
  sealed: Buffer
}

const BATCH_ROWS = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Wraps the data keys of all stored values under the current key. Servers may run meanwhile. */
export async function rewrapSecrets(client: Client, keyring: Keyring, say: (line: string) => void): Promise<void> {
  // An error for a login that policies hide rows from: it would leave their values under the old key.
  await client.query('set row_security = off')
  for (const column of SEALED_COLUMNS) {
    const count = await rewrapColumn(client, keyring, column)
    say(`${column.table}.${column.column}: ${count} values moved to key "${keyring.currentKeyId}"`)
  }
}

async function rewrapColumn(client: Client, keyring: Keyring, { table, column }: SealedColumn): Promise<number> {
  const box = createSecretBox(keyring)
  const organization = table === 'platform_service_providers' ? 'null' : 'organization_id'
  let count = 0
  let after = FIRST_ID
  for (;;) {
    const { rows } = await client.query<StoredValue>(
      `select id, ${organization} as organization_id, ${column} as sealed from ${table}
       where ${column} is not null and id > $1 order by id limit ${BATCH_ROWS}`,
      [after],
    )
    const last = rows.at(-1)
    if (!last) return count
    after = last.id
    const old = rows.filter(({ sealed }) => box.keyIdOf(sealed) !== keyring.currentKeyId)
    const rewrapped = old.map(({ id, organization_id, sealed }) =>
      box.rewrap(sealed, { table, column, organization_id, row: id }),
    )
    count += await replaceValues(client, { table, column }, old, rewrapped)
  }
}

async function replaceValues(
  client: Client,
  { table, column }: { table: string; column: string },
  old: StoredValue[],
  rewrapped: Buffer[],
): Promise<number> {
  if (old.length === 0) return 0
  await client.query('begin')
  try {
    // Without triggers: the content stays the same, so versions, times and restrictions of rows do not matter.
    await client.query('set local session_replication_role = replica')
    // A value that was changed or erased since it was read stays as it is.
    const { rowCount } = await client.query(
      `update ${table} stored set ${column} = new.rewrapped
       from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as new (id, sealed, rewrapped)
       where stored.id = new.id and stored.${column} = new.sealed`,
      [old.map(({ id }) => id), old.map(({ sealed }) => sealed), rewrapped],
    )
    await client.query('commit')
    return rowCount ?? 0
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
