import { randomUUID } from 'node:crypto'
import { type AuditKey, wrapAuditKey } from '@tendon/access'
import type { Config } from '@tendon/config'
import { newId } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import { newDataKey } from '@tendon/secrets'
import type pg from 'pg'
import { createNationalIds } from '../../apps/core/src/features/people/patients/national-id.ts'
import { subjectOf } from '../../apps/identity/src/accounts.ts'
import type { SeededClinic } from './clinics.ts'
import { birthDate, firstName, lastName, nationalId, sex } from './names.ts'
import { inBatches } from './rows.ts'

export interface SeededPatient {
  organizationId: string
  profileId: string
  id: string
  name: string
  email: string
  key: AuditKey
}

interface Secrets {
  box: SecretBox
  config: Config
}

/** Of ten patients three have an account; one was never asked for an identification number. */
const hasAccount = (place: number) => place % 10 < 3
const hasNumber = (place: number) => place % 10 !== 9

/** Patients with contact data, an encrypted identification number and the key of their audit entries. */
export async function seedPatients(
  client: pg.ClientBase,
  clinics: readonly SeededClinic[],
  secrets: Secrets,
  issuer: string,
): Promise<SeededPatient[]> {
  const nationalIds = createNationalIds(secrets)
  const seeded: SeededPatient[] = []
  function* rowsOf({ id: organization_id, domain, patients }: SeededClinic) {
    for (let place = 0; place < patients; place += 1) {
      const [id, profile_id, first_name, last_name] = [newId(), newId(), firstName(place), lastName(place)]
      const email = `patient-${place + 1}@${domain}`
      const key = { id: randomUUID(), key: newDataKey() }
      const number = nationalIds.seal(hasNumber(place) ? nationalId(place) : null, organization_id, profile_id)
      seeded.push({
        organizationId: organization_id,
        profileId: profile_id,
        id,
        name: `${first_name} ${last_name}`,
        email,
        key,
      })
      yield {
        organization_id,
        place,
        id,
        profile_id,
        first_name,
        last_name,
        email,
        phone: `+40 7${String(20_000_000 + place)}`,
        birth_date: birthDate(place),
        sex: sex(place),
        sealed_number: number.national_id_encrypted?.toString('base64'),
        number_index: number.national_id_index?.toString('base64'),
        key_id: key.id,
        wrapped_key: wrapAuditKey(secrets.box, key, organization_id).toString('base64'),
        issuer,
        subject: hasAccount(place) ? subjectOf(email) : null,
      }
    }
  }
  function* rows() {
    for (const clinic of clinics) yield* rowsOf(clinic)
  }
  await inBatches(client, PATIENTS, rows())
  return seeded
}

const PATIENTS = `
  with given as materialized (
    select case when subject is not null then gen_random_uuid() end as human_id,
      now() - (place % 700 + 1) * interval '1 day' as at, g.*
    from jsonb_to_recordset($1) as g (organization_id uuid, place int, id uuid, profile_id uuid, first_name text, last_name text,
      email citext, phone text, birth_date date, sex text, sealed_number text, number_index text, key_id uuid,
      wrapped_key text, issuer text, subject text)),
  made_principals as (insert into principals (id, kind) select human_id, 'human' from given where human_id is not null),
  made_humans as (
    insert into humans (id, email, email_verified, name, linked_at)
    select human_id, email, true, first_name || ' ' || last_name, at from given where human_id is not null),
  made_identities as (
    insert into identities (issuer, subject, human_id) select issuer, subject, human_id from given where human_id is not null),
  made_profiles as (
    insert into patient_profiles (id, organization_id, human_id, invited_email, invited_at, claimed_at, national_id_encrypted,
      national_id_index, created_at)
    select profile_id, organization_id, human_id, case when human_id is not null then email end,
      case when human_id is not null then at end, case when human_id is not null then at end,
      decode(sealed_number, 'base64'), decode(number_index, 'base64'), at
    from given),
  made_keys as (
    insert into audit_keys (id, organization_id, patient_profile_id, wrapped_key, created_at)
    select key_id, organization_id, profile_id, decode(wrapped_key, 'base64'), at from given),
  made_patients as (
    insert into patients (id, organization_id, patient_profile_id, first_name, last_name, email, phone, birth_date, sex,
      language_code, address, created_at, updated_at)
    select id, organization_id, profile_id, first_name, last_name, email, phone, birth_date, sex, 'ro',
      jsonb_build_object('line1', 'Calea Victoriei ' || place % 200 + 1, 'city', 'București', 'country', 'RO'), at, at
    from given)
  insert into seed_patients (organization_id, place, id, profile_id, human_id)
  select organization_id, place, id, profile_id, human_id from given`
