import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Person, startCore, type TestCore } from '../../../testing/core.ts'
import { type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { recordsOf } from './summary.testing.ts'

const MIGRATION = join(
  import.meta.dirname,
  '../../../../../../database/migrations/0297_lead_specialists_of_patients.sql',
)

describe('the migration that gives patients a lead', () => {
  let core: TestCore
  let clinic: SchedulingClinic
  let records: ReturnType<typeof recordsOf>
  let author: { person: Person; id: string }
  before(async () => {
    core = await startCore()
    clinic = await schedulingClinic(core)
    records = recordsOf(core)
    const person = await core.member(clinic, 'specialist')
    const [row] = await core.database.query<{ id: string }>(
      `insert into specialists (organization_id, human_id, name, slug, scheduling_timezone)
       values ($1, $2, 'Dan', $3, 'Europe/Bucharest') returning id`,
      [clinic.id, person.id, randomUUID()],
    )
    author = { person, id: row?.id ?? '' }
  })
  after(() => core.close())

  const plan = (patient: { profile_id: string }, by: Person, status: string, days: number) =>
    core.database.query(
      `insert into treatment_plans (organization_id, patient_profile_id, title, status, activated_at, created_by_principal_id)
       values ($1, $2, 'Knee', $3, now() - make_interval(days => $4), $5)`,
      [clinic.id, patient.profile_id, status, days, by.id],
    )
  const visit = (patient: { id: string; profile_id: string }, hours: number, status: string) =>
    records.visit(clinic, patient, { hours, status })

  test('the author of the newest active plan leads, else the specialist of the last completed visit', async () => {
    const [planned, replaced, drafted, visited, missed, restricted, led] = await Promise.all(
      Array.from({ length: 7 }, () => core.patient(clinic)),
    )
    assert.ok(planned && replaced && drafted && visited && missed && restricted && led)
    await plan(planned, author.person, 'active', 1)
    await visit(planned, -24, 'completed')
    await plan(replaced, author.person, 'active', 9)
    await plan(replaced, clinic.admin, 'active', 1)
    await visit(replaced, -24, 'completed')
    await plan(drafted, author.person, 'draft', 1)
    await visit(visited, -24, 'completed')
    await visit(missed, -24, 'no_show')
    await plan(restricted, author.person, 'active', 1)
    await plan(led, author.person, 'active', 1)
    await core.database.query('update patients set restricted_at = now() where id = $1', [restricted.id])
    await core.database.query('update patients set lead_specialist_id = $2 where id = $1', [
      led.id,
      clinic.specialist.id,
    ])
    const [update] = /^update patients [^;]+;/m.exec(await readFile(MIGRATION, 'utf8')) ?? []
    assert.ok(update)
    for (let time = 0; time < 2; time += 1) await core.database.query(update)
    const leads = await core.database.query<{ id: string; lead_specialist_id: string | null }>(
      'select id, lead_specialist_id from patients',
    )
    const leadOf = new Map(leads.map(({ id, lead_specialist_id }) => [id, lead_specialist_id]))
    assert.deepEqual(
      [planned, replaced, drafted, visited, missed, restricted, led].map(({ id }) => leadOf.get(id)),
      [author.id, clinic.specialist.id, null, clinic.specialist.id, null, null, clinic.specialist.id],
    )
  })
})
