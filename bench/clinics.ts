import { randomUUID } from 'node:crypto'
import { TEST_ROLE_SECRET, type TestDatabase, type TestIssuer } from '@tendon/testing'

/** Settings of a measured server: quiet, without limits per IP address. */
export function serverEnv(database: TestDatabase, issuer: TestIssuer, dataDir: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
    AUTH_ISSUER: issuer.issuer,
    RATE_LIMIT_ENTRY_PER_MINUTE: '10000000',
    RATE_LIMIT_ORGANIZATION_PER_MINUTE: '10000000',
  }
}

export interface Admin {
  subject: string
  principalId: string
  token: string
}

/** A person who signed in once and is admin of the clinic. */
export async function adminOf(
  clinic: string,
  { database, issuer, port }: { database: TestDatabase; issuer: TestIssuer; port: number },
): Promise<Admin> {
  const subject = randomUUID()
  const claims = { sub: subject, email: `${subject}@bench.example`, email_verified: true, name: 'Bench' }
  const token = await issuer.sign(claims)
  const me = await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await me.json()) as { data: { principal_id: string } }
  await database.query(
    `insert into organization_memberships (organization_id, principal_id, role_id)
     select $1, $2, id from roles where organization_id = $1 and code = 'admin'`,
    [clinic, data.principal_id],
  )
  return { subject, principalId: data.principal_id, token }
}

/** A clinic with the default roles. */
export async function newClinic(database: TestDatabase, name: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    'insert into organizations (name, slug) values ($1, $1) returning id',
    [name],
  )
  const id = row?.id ?? ''
  await database.query('select clone_role_templates($1)', [id])
  return id
}
