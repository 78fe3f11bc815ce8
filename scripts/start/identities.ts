import pg from 'pg'

/**
 * The local identity provider stays the same when its port changes, and so do its people: their identities get its new
 * address. Their browsers sign in again.
 */
export async function followIssuer(databaseUrl: string, issuer: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const elsewhere = `issuer <> $1 and issuer ~ '^http://[^/]+:[0-9]+$'`
    await client.query('begin')
    await client.query(`delete from web_sessions where ${elsewhere}`, [issuer])
    await client.query(
      `update identities old set issuer = $1 where ${elsewhere}
         and not exists (select 1 from identities new where new.issuer = $1 and new.subject = old.subject)`,
      [issuer],
    )
    await client.query('commit')
  } finally {
    await client.end()
  }
}
