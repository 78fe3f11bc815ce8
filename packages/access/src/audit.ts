import { randomUUID } from 'node:crypto'
import { type DB, ofScope, together, withCommit } from '@tendon/db'
import { decrypt, encrypt, type SecretBox } from '@tendon/secrets'
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { type AuditKey, AuditKeys, type KeyPlace } from './audit-keys.ts'
import type { Caller } from './caller.ts'

export interface Change {
  field: string
  before: unknown
  after: unknown
  /** For a private field: the patient's export does not contain it. */
  private?: true
}

export interface AuditEntry {
  /** Default: a new one. */
  id?: string
  /** "resource.action", for example "members.remove". */
  action: string
  crud: 'C' | 'R' | 'U' | 'D' | 'E'
  target: { type: string; id: string | null; label?: string | null }
  changes?: Change[]
  reason?: string
  outcome?: 'success' | 'failure'
  patientProfileId?: string
}

/** Text about people: encrypted in the row, so that destroying its key erases it. */
export interface Personal {
  actor_name: string | null
  /** The actor's role at the time. Missing in the oldest entries. */
  actor_role?: string | null
  target_label: string | null
  reason: string | null
  source_ip: string | null
  user_agent: string | null
  changes: Change[]
}

/** The entry about a read under break-glass. Other entries about that read refer to it and repeat its reason. */
interface Trace {
  id: string
  reason: string
}

export const TRACE = Symbol('trace')

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a request with break-glass access. */
    [TRACE]?: Trace
  }
}

/** Who did it, from where: a request's caller, or the system. */
interface Actor {
  principalId: string | null
  type: 'user' | 'patient' | 'service' | 'system' | 'superadmin'
  /** The impersonated patient. */
  onBehalfOf: string | null
  name: string | null
  role: string | null
  organizationId: string | null
  requestId: string | null
  sourceIp: string | null
  userAgent: string | null
  /** The profile whose key encrypts the text of entries that are not about a patient; null: the log's own key. */
  keySubject: string | null
  trace: Trace | null
}

const MAX_USER_AGENT_LENGTH = 300
const WRITE_ATTEMPTS = 5

const personalContext = (entryId: string) => `audit_log.personal ${entryId}`

/** In the log of another organization than the one in context, a caller who is not a superadmin acts as its patient. */
export function actorOf(request: FastifyRequest, caller: Caller, organizationId = caller.organization_id): Actor {
  const impersonated = caller.impersonator_id !== null
  const elsewhere = organizationId !== caller.organization_id && !caller.is_superadmin
  // A clinic with a pending invitation, where the person is not a patient, sees only the e-mail address it entered.
  const unknown = caller.joined === false && caller.patient_profile_id === null && !elsewhere
  // Actions outside of all clinics are about the person, and are erased with the account (erase_account).
  const ownAct = organizationId === null && caller.kind === 'human' && !caller.is_superadmin
  return {
    principalId: caller.impersonator_id ?? caller.principal_id,
    type: elsewhere ? 'patient' : typeOf(caller),
    onBehalfOf: impersonated ? caller.principal_id : null,
    name: unknown ? null : impersonated ? caller.impersonator_name : (caller.name ?? caller.email),
    role: elsewhere ? null : caller.role_name,
    organizationId,
    requestId: request.id,
    sourceIp: unknown ? null : request.ip,
    userAgent: unknown ? null : (request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null),
    keySubject: ownAct ? caller.principal_id : null,
    trace: request[TRACE] ?? null,
  }
}

function typeOf(caller: Caller): Actor['type'] {
  if (caller.is_superadmin) return 'superadmin'
  if (caller.kind === 'service') return 'service'
  return caller.role_id === null && caller.profile_ids?.length && caller.impersonator_id === null ? 'patient' : 'user'
}

export const SYSTEM: Omit<Actor, 'organizationId'> = {
  principalId: null,
  type: 'system',
  onBehalfOf: null,
  name: null,
  role: null,
  requestId: null,
  sourceIp: null,
  userAgent: null,
  keySubject: null,
  trace: null,
}

export class AuditLog {
  readonly #keys: AuditKeys

  constructor(box: SecretBox) {
    this.#keys = new AuditKeys(box)
  }

  /** Writes the entry in the transaction that it describes: one about a read with COMMIT, if the transaction allows. */
  async write(tx: Kysely<DB>, actor: Actor, entry: AuditEntry): Promise<void> {
    if (entry.crud === 'U' && entry.changes?.length === 0) return // nothing was changed
    const place = { organizationId: actor.organizationId, keySubject: entry.patientProfileId ?? actor.keySubject }
    let isNew = isOfNewPatient(entry)
    let wasRefused = false
    for (let attempt = 1; attempt <= WRITE_ATTEMPTS; attempt += 1) {
      const known = this.#keys.kept(place) ?? (isNew ? undefined : await this.#keys.find(tx, place))
      // Only an erased patient has no key after one was inserted, and gets none.
      if (!known && wasRefused && place.keySubject !== null)
        return this.write(tx, withoutPerson(actor), withoutPatient(entry))
      if (known && entry.crud === 'R' && this.#leaveToCommit(tx, actor, entry, place, known)) return
      const key = known ?? this.#keys.create()
      const [, { numAffectedRows }] = await together([
        known ?? this.#keys.insert(tx, place, key),
        sql`${insertInto(actor, entry, key)} from audit_keys k where ${isLiving(actor, key)}`.execute(tx),
      ])
      if (numAffectedRows !== 0n) return this.#keys.keep(place, key)
      // Forget the key if it was cached: it was destroyed, or inserted by a transaction that failed. Look it up again.
      this.#keys.forget(place, key)
      wasRefused ||= !known && !isNew
      isNew = false
    }
    throw new Error('no living audit key')
  }

  /** Without a living key the insert fails, the transaction is repeated, and the entry is then written at once. */
  #leaveToCommit(tx: Kysely<DB>, actor: Actor, entry: AuditEntry, place: KeyPlace, key: AuditKey): boolean {
    const insert = sql`${insertInto(actor, entry, key)} from (select) one left join audit_keys k on ${isLiving(actor, key)}`
    return withCommit(tx, insert.compile(tx), () => this.#keys.forget(place, key))
  }

  /** The personal text of an entry, or undefined when its key is destroyed. */
  read(
    entry: { id: string; organization_id: string | null; key_id: string; personal: Buffer },
    wrappedKey: Buffer | null,
  ) {
    if (wrappedKey === null) return undefined
    const key = this.#keys.unwrap(wrappedKey, entry.key_id, entry.organization_id)
    return JSON.parse(decrypt(key, entry.personal, personalContext(entry.id)).toString('utf8')) as Personal
  }
}

/** The key of a new patient most likely does not exist yet. */
const isOfNewPatient = ({ crud, target }: AuditEntry) => crud === 'C' && target.type === 'patient'

const isLiving = ({ organizationId }: Actor, { id }: AuditKey) =>
  sql`${ofScope(organizationId)} and k.id = ${id} and k.destroyed_at is null`

/** Begins an insert; the caller appends the FROM clause that reads the id of the key. */
function insertInto(actor: Actor, entry: AuditEntry, { key }: AuditKey) {
  const id = entry.id ?? randomUUID()
  const personal: Personal = {
    actor_name: actor.name,
    actor_role: actor.role,
    target_label: entry.target.label ?? null,
    // For patients only: the text is erased with their key.
    reason: entry.reason ?? (entry.patientProfileId === undefined ? null : (actor.trace?.reason ?? null)),
    source_ip: actor.sourceIp,
    user_agent: actor.userAgent,
    changes: entry.changes ?? [],
  }
  return sql`
    insert into audit_log (id, organization_id, actor_principal_id, actor_type, on_behalf_of, action, crud, target_type, target_id,
      patient_profile_id, outcome, request_id, trace_id, key_id, personal)
    select ${id}, ${actor.organizationId}, ${actor.principalId}, ${actor.type}, ${actor.onBehalfOf},
      ${entry.action}, ${entry.crud}, ${entry.target.type}, ${entry.target.id}, ${entry.patientProfileId ?? null},
      ${entry.outcome ?? 'success'}, ${actor.requestId}, ${actor.trace?.id ?? null}, k.id,
      ${sealPersonal(key, id, personal)}`
}

export const sealPersonal = (key: Buffer, entryId: string, personal: Personal): Buffer =>
  encrypt(key, JSON.stringify(personal), personalContext(entryId))

/** A request that read about a patient before the erasure must not write personal text afterwards: only the entry itself. */
function withoutPatient({ patientProfileId: _erased, reason: _words, ...entry }: AuditEntry): AuditEntry {
  const { type, id } = entry.target
  const changes = entry.changes?.map(({ field }) => ({ field, before: null, after: null }))
  return { ...entry, target: { type, id }, ...(changes ? { changes } : {}) }
}

const withoutPerson = (actor: Actor): Actor =>
  actor.type === 'patient' || actor.keySubject !== null
    ? { ...actor, name: null, sourceIp: null, userAgent: null, keySubject: null }
    : actor

/** The column that every change increments. In rows with a revision, `version` counts publications. */
function isBookkeeping(field: string, row: object): boolean {
  if (field === 'updated_at' || field === 'revision') return true
  return field === 'version' && 'updated_at' in row && !('revision' in row)
}

/** The fields of `after` that differ from `before`, for `changes`. */
export function changesBetween(before: object, after: object): Change[] {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after)
    .filter(
      ([field, value]) =>
        !isBookkeeping(field, after) && JSON.stringify(old.get(field) ?? null) !== JSON.stringify(value ?? null),
    )
    .map(([field, value]) => ({ field, before: old.get(field) ?? null, after: value ?? null }))
}
