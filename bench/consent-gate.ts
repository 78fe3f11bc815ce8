import { randomUUID } from 'node:crypto'
import type { TestDatabase, TestIssuer } from '@tendon/testing'
import { type LoadResult, load, together } from './load.ts'
import type { Report } from './report.ts'
import { UNGATED } from './ungated.ts'

const PATIENTS = 64
const CONNECTIONS = 32
const SLICES = 5
const READ = '/v1/me/patient-records'

interface GateBench {
  port: number
  database: TestDatabase
  issuer: TestIssuer
  /** The clinic of the patients. */
  clinic: string
  seconds: number
}

/** A patient's read with and without the consent gate, alternating, so that both run under the same conditions. */
export async function benchConsentGate(bench: GateBench, report: Report): Promise<void> {
  const tokens = await Promise.all(Array.from({ length: PATIENTS }, () => createPatient(bench)))
  const read = (path: string) => (lane: number) =>
    `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${tokens[lane % PATIENTS]}\r\n\r\n`
  const measure = (path: string, seconds: number) =>
    load({ port: bench.port, connections: CONNECTIONS, seconds, request: read(path) })
  for (const path of [READ, UNGATED + READ]) await measure(path, 1)
  const slices: { gated: LoadResult[]; ungated: LoadResult[] } = { gated: [], ungated: [] }
  for (let slice = 0; slice < SLICES; slice += 1) {
    slices.gated.push(await measure(READ, bench.seconds / SLICES))
    slices.ungated.push(await measure(UNGATED + READ, bench.seconds / SLICES))
  }
  const gated = together(slices.gated)
  const ungated = together(slices.ungated)
  report.load(`GET ${READ}, by patients`, gated)
  report.load('the same without the consent gate', ungated)
  report.ratio('a patient’s read with ÷ without the consent gate', gated.perSecond / ungated.perSecond)
}

/** A patient who has accepted everything that the gate requires. */
async function createPatient({ port, database, issuer, clinic }: GateBench): Promise<string> {
  const subject = randomUUID()
  const claims = { sub: subject, email: `${subject}@bench.example`, email_verified: true, name: 'Bench' }
  const token = await issuer.sign(claims)
  const me = await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await me.json()) as { data: { principal_id: string } }
  const [profile] = await database.query<{ id: string }>(
    'insert into patient_profiles (organization_id, human_id, claimed_at) values ($1, $2, now()) returning id',
    [clinic, data.principal_id],
  )
  await database.query(
    `insert into patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'Bench', 'Patient')`,
    [clinic, profile?.id],
  )
  await database.query(
    `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
     select case when p.scope = 'org' then $1::uuid end, $2, p.code, v.version, 'signup_checkbox'
     from consent_purposes p, current_purpose_version(p.code, $1) v
     where p.legal_basis <> 'consent' and v.version is not null`,
    [clinic, profile?.id],
  )
  return token
}
