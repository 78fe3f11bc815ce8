import type { Config } from '@tendon/config'
import { createSecretBox, parseKeyring } from '@tendon/secrets'
import pg from 'pg'
import { seedAudit, seedRepeatable } from './audit.ts'
import { CARE } from './care.ts'
import { type SeededClinic, seedClinics } from './clinics.ts'
import { type SeededPatient, seedPatients } from './people.ts'
import { RECORDS } from './records.ts'
import type { SeedSize } from './size.ts'
import { VISITS } from './visits.ts'

export interface Seeded {
  /** The largest first. */
  clinics: SeededClinic[]
  patients: SeededPatient[]
}

interface SeedOptions {
  databaseUrl: string
  config: Config
  size: SeedSize
  /** Who vouches for the people that have an account. */
  issuer: string
  say?: (line: string) => void
}

// The rows of a clinic as its people would have written them, in one transaction and in bulk. Foreign keys and checks hold;
// triggers that start follow-up work are off: nobody waits for films of these plans, or for events of these consents.
const QUIET = ['consents', 'custom_field_values', 'session_exercises', 'session_runs', 'treatment_plans']

export async function seed({ databaseUrl, config, size, issuer, say = () => undefined }: SeedOptions): Promise<Seeded> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`begin; set local search_path = public, pg_temp; set local synchronous_commit = off; ${SCRATCH}`)
    for (const table of QUIET) await client.query(`alter table ${table} disable trigger user`)
    const box = createSecretBox(parseKeyring(config.KEYRING))
    const inSteps = async (statements: readonly string[]) => {
      for (const statement of statements) await client.query(statement)
    }
    say('clinics, staff, services, working hours')
    const clinics = await seedClinics(client, size, issuer)
    say('patients')
    const patients = await seedPatients(client, clinics, { box, config }, issuer)
    await client.query(ANALYZE)
    say('appointments, documents')
    await inSteps(VISITS)
    say('treatment plans, session runs')
    await inSteps(CARE)
    say('consents, forms, mails, events')
    await inSteps(RECORDS)
    say('audit log')
    await seedAudit(client, patients)
    await seedRepeatable(client, clinics, box)
    for (const table of QUIET) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
    await client.query('vacuum (analyze)') // as autovacuum would within minutes
    return { clinics, patients }
  } finally {
    await client.end()
  }
}

/** The tables grow from nothing in one transaction. */
const ANALYZE = 'analyze seed_clinics, seed_specialists, seed_patients, patients, patient_profiles, organizations'

const SCRATCH = `
  create temp table seed_clinics (id uuid primary key, slug text, domain text, plan text, patients int, specialists int,
    services int, locations int, admin_id uuid) on commit drop;
  create temp table seed_specialists (organization_id uuid, place int, id uuid, service_id uuid, location_id uuid) on commit drop;
  create temp table seed_patients (organization_id uuid, place int, id uuid primary key, profile_id uuid, human_id uuid,
    unique (organization_id, place)) on commit drop;
  create temp table seed_visits (id uuid, claim_id uuid, organization_id uuid, specialist_id uuid, service_id uuid, location_id uuid,
    calendar_id uuid, patient_id uuid, profile_id uuid, starts_at timestamptz, status text, number bigint) on commit drop;`
