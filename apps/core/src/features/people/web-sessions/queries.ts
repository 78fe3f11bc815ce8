import type { WebSession } from '@tendon/contracts'
import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

interface NewSession {
  hash: Buffer
  app: string
  issuer: string
  subject: string
  providerSession: string | null
  ip: string
  userAgent: string | null
  idleSeconds: number
  expiresAt: Date
}

export async function provisionHuman(
  tx: PublicTx,
  person: { issuer: string; subject: string; email: string | null; emailVerified: boolean; name: string | null },
): Promise<void> {
  const { issuer, subject, email, emailVerified, name } = person
  await sql`select provision_human(${issuer}, ${subject}, ${email}, ${emailVerified}, ${name})`.execute(tx)
}

export async function insertWebSession(tx: PublicTx, session: NewSession): Promise<string> {
  const { hash, app, issuer, subject, providerSession, ip, userAgent, idleSeconds, expiresAt } = session
  const { rows } = await sql<{ id: string }>`select create_web_session(${hash}, ${app}, ${issuer}, ${subject},
    ${providerSession}, ${ip}::inet, ${userAgent}, make_interval(secs => ${idleSeconds}), ${expiresAt}) as id`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('create_web_session gave no id')
  return row.id
}

export async function deleteWebSession(tx: PublicTx, hash: Buffer, app: string): Promise<void> {
  await sql`select end_web_session(${hash}, ${app})`.execute(tx)
}

export async function deleteProviderSessions(
  tx: PublicTx,
  { issuer, subject, sessionId }: { issuer: string; subject: string | null; sessionId: string | null },
): Promise<void> {
  await sql`select end_provider_sessions(${issuer}, ${subject}, ${sessionId})`.execute(tx)
}

export async function listMyWebSessions(tx: TenantTx): Promise<Omit<WebSession, 'current'>[]> {
  const { rows } = await sql<Omit<WebSession, 'current'>>`select * from my_web_sessions()`.execute(tx)
  return rows
}

/** Returns how many were deleted; `id` null: all of the caller's. */
export async function deleteMyWebSessions(tx: TenantTx, id: string | null): Promise<number> {
  const { rows } = await sql<{ count: string }>`select end_my_web_sessions(${id}) as count`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}
