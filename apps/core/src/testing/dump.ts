import type { TestDatabase } from '@tendon/testing'

/** Every row of every table, as text; bytes are in hexadecimal. */
export async function dumpDatabase(database: TestDatabase): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => database.query<{ row: string }>(`select t::text as row from ${name} t`)),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

/** Whether a text contains a secret: in plain text, in base64, or as hexadecimal of its text or its decoded bytes. */
export const isIn = (text: string, secret: string): boolean =>
  [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret.replace(/^whsec_/, ''), 'base64').toString('hex'),
  ].some((spelling) => spelling.length >= 12 && text.includes(spelling))
