import { type Static, Type } from 'typebox'
import { LENIENT, listParameters } from './list.ts'
import { Enum, Id, Nullable, Text, Timestamp } from './shapes.ts'

export const ACTOR_TYPES = ['user', 'patient', 'service', 'system', 'superadmin'] as const
export const CRUD = ['C', 'R', 'U', 'D', 'E'] as const
export const OUTCOMES = ['success', 'failure'] as const

const Digest = Type.String({
  description: 'SHA-256 in hexadecimal digits; null until the entry is sealed (a few seconds).',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

const Change = Type.Object({
  field: Type.String({ examples: ['name'] }),
  before: Type.Unknown({ examples: ['Clinica Veche'] }),
  after: Type.Unknown({ examples: ['Clinica Nouă'] }),
})

/** Personal fields (names, label, reason, address, changes) are null once `erased`. */
export const AuditLogEntry = Type.Object({
  id: Id,
  organization_id: Nullable(Id),
  occurred_at: Timestamp,
  actor: Type.Object({
    principal_id: Nullable(Id),
    type: Enum(ACTOR_TYPES),
    name: Nullable(Text(200, 'Ana Ionescu')),
  }),
  on_behalf_of: Nullable(Id),
  action: Type.String({ description: 'resource.action', examples: ['organizations.update'] }),
  crud: Enum(CRUD, 'U'),
  target: Type.Object({
    type: Type.String({ examples: ['organization'] }),
    id: Nullable(Type.String({ examples: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'] })),
    label: Nullable(Text(300, 'Clinica Mlădița')),
  }),
  patient_profile_id: Nullable(Id),
  outcome: Enum(OUTCOMES),
  reason: Nullable(Text(2000, 'Asked for by the patient')),
  source_ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
  user_agent: Nullable(Type.String({ examples: ['Mozilla/5.0'] })),
  request_id: Nullable(Type.String({ examples: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'] })),
  changes: Nullable(Type.Array(Change)),
  erased: Type.Boolean({ description: 'The key of the personal text has been destroyed, so the text is unreadable.' }),
  prev_hash: Nullable(Digest),
  hash: Nullable(Digest),
})
export type AuditLogEntry = Static<typeof AuditLogEntry>

export const auditLogList = {
  sort: ['occurred_at', 'action'],
  ranges: ['occurred_at'],
  filters: {
    action: 'text',
    crud: CRUD,
    outcome: OUTCOMES,
    actor_type: ACTOR_TYPES,
    actor_principal_id: 'uuid',
    target_type: 'text',
    target_id: 'text',
    patient_profile_id: 'uuid',
    on_behalf_of: 'uuid',
  },
} as const

/** Filters and range as in the list; the export is always whole and newest first. */
const { page: _page, limit: _limit, sort: _sort, ...filters } = listParameters(auditLogList).properties
export const auditLogExportParameters = Type.Object(filters, { [LENIENT]: true })

/** Streamed, so its type in TypeScript is open. */
export const AuditLogCsv = Type.Unsafe<unknown>({ type: 'string', examples: ['id,occurred_at,action\r\n'] })
