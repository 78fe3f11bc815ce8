import { type AuditEntry, AuditLog, openDatabase, publish, SYSTEM } from '@tendon/access'
import { readConfig } from '@tendon/config'
import type { PlatformMembership } from '@tendon/contracts'
import { type Database, NOBODY, type PlatformTx } from '@tendon/db'
import { refusalFor } from '@tendon/http'
import { explainNotReady, findDatabaseUrl, StartError } from '@tendon/process'
import { createSecretBox, parseKeyring, type SecretBox } from '@tendon/secrets'
import {
  deletePlatformMembership,
  findOrInviteHuman,
  findSuperadminByEmail,
  insertPlatformMembership,
  listAllPlatformMemberships,
  platformMembershipConstraints,
} from '../features/tenancy/platform-memberships/index.ts'

export const USAGE = `Usage:
  npm run superadmin -- grant <e-mail>    make a person superadmin, also before their first sign-in
  npm run superadmin -- revoke <e-mail>   take the right away
  npm run superadmin -- list              show who has it`

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const MAX_EMAIL_LENGTH = 254

/** Why the command was refused, as a message for the person at the keyboard. */
export class CommandRefusal extends StartError {}

type Audit = (tx: PlatformTx, entry: AuditEntry) => Promise<void>

/** Runs the command with the database and the keys of the environment. */
export async function runSuperadmin(
  args: readonly string[],
  variables: Record<string, string | undefined>,
): Promise<string> {
  const config = readConfig(variables)
  const db = openDatabase(config, 'tendon_app', await findDatabaseUrl(config))
  try {
    return await superadminCommand(args, { db, box: createSecretBox(parseKeyring(config.KEYRING)) })
  } catch (error) {
    return explainNotReady(error)
  } finally {
    await db.close()
  }
}

/** Runs the command and returns the text to print. */
export async function superadminCommand(
  args: readonly string[],
  { db, box }: { db: Pick<Database, 'platform'>; box: SecretBox },
): Promise<string> {
  const [action, email, ...rest] = args
  if (action === 'list' && email === undefined) return db.platform(NOBODY, list)
  const change = action === 'grant' ? grant : action === 'revoke' ? revoke : undefined
  if (!change || !isEmail(email) || rest.length > 0) throw new CommandRefusal(USAGE)
  const auditLog = new AuditLog(box)
  const audit: Audit = (tx, entry) => auditLog.write(tx, { ...SYSTEM, organizationId: null }, entry)
  try {
    return await db.platform(NOBODY, (tx) => change(tx, email, audit))
  } catch (error) {
    const refused = refusalFor(error, platformMembershipConstraints)
    throw refused?.status === 409 ? new CommandRefusal(`${email}: ${refused.message}`) : error
  }
}

const isEmail = (text: string | undefined): text is string =>
  text !== undefined && text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text)

const targetOf = (id: string, label: string) => ({ type: 'platform_membership', id, label })

async function grant(tx: PlatformTx, email: string, audit: Audit): Promise<string> {
  const principalId = await findOrInviteHuman(tx, email)
  if (!(await insertPlatformMembership(tx, principalId, null))) return `${email} is a superadmin already.`
  const changes = [{ field: 'role', before: null, after: 'superadmin' }]
  await audit(tx, { action: 'platform_memberships.grant', crud: 'C', target: targetOf(principalId, email), changes })
  await publish(tx, 'platform_membership.granted', { principal_id: principalId })
  return `${email} is a superadmin now. It takes effect when they sign in with this verified e-mail address.`
}

async function revoke(tx: PlatformTx, email: string, audit: Audit): Promise<string> {
  const found = await findSuperadminByEmail(tx, email)
  if (!found || !(await deletePlatformMembership(tx, found.principal_id))) {
    throw new CommandRefusal(`${email} is not a superadmin. "npm run superadmin -- list" shows who is.`)
  }
  const changes = [{ field: 'role', before: found.role, after: null }]
  const target = targetOf(found.principal_id, email)
  await audit(tx, { action: 'platform_memberships.revoke', crud: 'D', target, changes })
  await publish(tx, 'platform_membership.revoked', { principal_id: found.principal_id })
  return `${email} is no longer a superadmin.`
}

async function list(tx: PlatformTx): Promise<string> {
  const all = await listAllPlatformMemberships(tx)
  if (all.length === 0) return 'There is no superadmin yet. Add one: npm run superadmin -- grant <e-mail>'
  return all.map(describe).join('\n')
}

const describe = ({ email, name, principal_id, granted_at, granted_by }: PlatformMembership) =>
  `${email ?? principal_id}  ${name ?? '(has not signed in yet)'}  since ${granted_at.slice(0, 10)}, by ${
    granted_by === null ? 'the command line' : (granted_by.name ?? granted_by.principal_id)
  }`
