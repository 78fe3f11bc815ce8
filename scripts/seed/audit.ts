import { randomBytes, randomUUID } from 'node:crypto'
import { type Personal, sealPersonal } from '@tendon/access'
import type { SecretBox } from '@tendon/secrets'
import type pg from 'pg'
import type { SeededClinic } from './clinics.ts'
import type { SeededPatient } from './people.ts'
import { inBatches } from './rows.ts'

const ENTRIES_PER_PATIENT = 5
const PATIENTS_PER_REPEATABLE_REQUEST = 10

const NOBODY: Personal = {
  actor_name: null,
  actor_role: 'Admin',
  target_label: null,
  reason: null,
  source_ip: '192.0.2.1',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  changes: [],
}

/** Who read and changed the patients: one entry about the creation, the others about reads. */
export async function seedAudit(client: pg.ClientBase, patients: readonly SeededPatient[]): Promise<void> {
  function* rows() {
    for (const { organizationId: organization_id, profileId: patient_profile_id, id: target_id, name, key } of patients)
      for (let entry = 0; entry < ENTRIES_PER_PATIENT; entry += 1) {
        const id = randomUUID()
        const [action, crud] = entry === 0 ? ['patients.create', 'C'] : ['patients.read', 'R']
        const personal = sealPersonal(key.key, id, { ...NOBODY, target_label: name }).toString('base64')
        yield { id, organization_id, patient_profile_id, target_id, action, crud, key_id: key.id, personal, entry }
      }
  }
  await inBatches(client, ENTRIES, rows())
}

const ENTRIES = `
  insert into audit_log (id, organization_id, occurred_at, actor_principal_id, actor_type, action, crud, target_type, target_id,
    patient_profile_id, request_id, key_id, personal)
  select a.id, a.organization_id, now() - (40 - a.entry * 8) * interval '1 day' + p.place % 1000 * interval '1 minute', c.admin_id, 'user',
    a.action, a.crud, 'patient', a.target_id, a.patient_profile_id, a.id, a.key_id, decode(a.personal, 'base64')
  from jsonb_to_recordset($1) as a (id uuid, organization_id uuid, patient_profile_id uuid, target_id uuid, action text, crud text,
    key_id uuid, personal text, entry int)
  join seed_clinics c on c.id = a.organization_id
  join seed_patients p on p.id = a.target_id`

/** The answers that are kept for repeated requests: those of the last day. */
export async function seedRepeatable(
  client: pg.ClientBase,
  clinics: readonly SeededClinic[],
  box: SecretBox,
): Promise<void> {
  const path = '/v1/patients'
  function* rows() {
    for (const { id: organization_id, patients } of clinics)
      for (let place = 0; place < patients; place += PATIENTS_PER_REPEATABLE_REQUEST) {
        const key = randomUUID()
        const where = { table: 'idempotency_keys', column: 'response', organization_id, row: `${path} ${key}` }
        const response = box.seal(JSON.stringify({ data: { id: key } }), where).toString('base64')
        yield { organization_id, path, key, fingerprint: randomBytes(32).toString('base64'), response }
      }
  }
  await inBatches(client, KEYS, rows())
}

const KEYS = `
  insert into idempotency_keys (organization_id, path, key, principal_id, fingerprint, status, response)
  select k.organization_id, k.path, k.key, c.admin_id, decode(k.fingerprint, 'base64'), 201, decode(k.response, 'base64')
  from jsonb_to_recordset($1) as k (organization_id uuid, path text, key text, fingerprint text, response text)
  join seed_clinics c on c.id = k.organization_id`
