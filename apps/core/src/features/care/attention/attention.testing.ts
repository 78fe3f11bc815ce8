import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Json, Person, TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { plansOf } from '../treatment-plans/plans.testing.ts'

export interface Subject {
  id: string
  profile_id: string
}

const HOUR_MS = 3_600_000
export const hours = (count: number) => new Date(Date.now() + count * HOUR_MS).toISOString()
export const days = (count: number) => hours(24 * count)

/** Writes the facts that need attention by SQL, so that each has the time that a test needs. */
export function factsOf(core: TestCore) {
  const id = async (text: string, values: unknown[]): Promise<string> => {
    const [row] = await core.database.query<{ id: string }>(`${text} returning id`, values)
    assert.ok(row)
    return row.id
  }

  const plans = plansOf(core)
  const plan = (of: TestOrganization, { profile_id }: Subject, values: { since?: string; ends_on?: string } = {}) =>
    id(
      `insert into treatment_plans (organization_id, patient_profile_id, title, status, activated_at, starts_on, ends_on)
       values ($1, $2, 'Knee', 'active', $3, $3::timestamptz::date, $4)`,
      [of.id, profile_id, values.since ?? days(-10), values.ends_on ?? null],
    )

  /** A session that has ended, of a plan of its own that is over. */
  async function run(of: TestOrganization, { profile_id }: Subject, at = hours(-1), planId?: string): Promise<string> {
    const treatment =
      planId ??
      (await id(
        `insert into treatment_plans (organization_id, patient_profile_id, title, status, activated_at)
         values ($1, $2, 'Over', 'active', now())`,
        [of.id, profile_id],
      ))
    const session = await id(
      `insert into plan_sessions (organization_id, treatment_plan_id, patient_profile_id, position, title)
       values ($1, $2, $3, (select count(*) + 1 from plan_sessions where treatment_plan_id = $2), 'Monday')`,
      [of.id, treatment, profile_id],
    )
    await id(
      `insert into session_exercises (organization_id, plan_session_id, patient_profile_id, exercise_id, position)
       values ($1, $2, $3, $4, 1)`,
      [of.id, session, profile_id, await plans.exercise(null)],
    )
    const made = await id(
      `insert into session_runs (organization_id, patient_profile_id, treatment_plan_id, plan_session_id,
         session_exercise_ids, status, started_at, ended_at, prescription)
       values ($1, $2, $3, $4, array[gen_random_uuid()], 'ended_naturally', $5, $5, '[]')`,
      [of.id, profile_id, treatment, session, at],
    )
    if (planId === undefined)
      await core.database.query(`update treatment_plans set status = 'completed', completed_at = now() where id = $1`, [
        treatment,
      ])
    return made
  }

  interface Pain {
    run?: string
    severity?: number
    signs?: string[]
    at?: string
  }
  const pain = async (of: TestOrganization, patient: Subject, { severity = 6, signs = [], at, ...given }: Pain = {}) =>
    id(
      `insert into pain_reports (organization_id, session_run_id, patient_profile_id, severity, action, warning_signs,
         created_at) values ($1, $2, $3, $4, 'rest', $5, $6)`,
      [
        of.id,
        given.run ?? (await run(of, patient)),
        patient.profile_id,
        severity,
        signs,
        at ?? new Date().toISOString(),
      ],
    )

  const specialist = (of: TestOrganization, person?: Person) =>
    id(
      `insert into specialists (organization_id, human_id, name, slug, scheduling_timezone)
       values ($1, $2, 'Dr. Radu Pop', $3, 'Europe/Bucharest')`,
      [of.id, person?.id ?? null, `s-${randomUUID()}`],
    )

  const service = (of: TestOrganization) =>
    id(`insert into services (organization_id, name, slug, duration_minutes) values ($1, 'First visit', $2, 60)`, [
      of.id,
      `v-${randomUUID()}`,
    ])

  interface Visit {
    patient?: Subject
    specialist?: string
    status?: string
    starts?: string | null
    booker?: object
    freed?: object
  }
  async function visit(of: TestOrganization, wish: Visit): Promise<string> {
    const starts = wish.starts === undefined ? hours(5) : wish.starts
    const made = await id(
      `insert into appointments (organization_id, service_id, specialist_id, patient_id, patient_profile_id, starts_at,
         ends_at, time_zone, mode, status, source, booker, overlap_allowed)
       values ($1, $2, $3, $4, $5, $6, $6::timestamptz + interval '1 hour', 'Europe/Bucharest', 'in_person', $7, 'staff', $8,
         true)`,
      [
        of.id,
        await service(of),
        wish.specialist ?? null,
        wish.patient?.id ?? null,
        wish.patient?.profile_id ?? null,
        starts,
        wish.status ?? 'confirmed',
        wish.booker ?? null,
      ],
    )
    if (wish.freed)
      await core.database.query('update appointments set slot_freed_at = now(), freed_slot = $2 where id = $1', [
        made,
        wish.freed,
      ])
    return made
  }

  async function form(of: TestOrganization, patient: Subject, status = 'completed', appointment?: string) {
    const template = await id(
      `insert into form_templates (organization_id, title, type, fields) values ($1, 'Intake', 'survey', '[]')`,
      [of.id],
    )
    await core.database.query(
      `insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations,
         consent_purposes) values ($1, $2, 1, 'Intake', 'survey', '[]', '{}', '{}')`,
      [of.id, template],
    )
    return id(
      `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, status,
         fields, completed_at, appointment_id)
       values ($1, $2, 1, $3, 'Intake', 'survey', $4, '[]', case when $4 = 'completed' then now() end, $5)`,
      [of.id, template, patient.profile_id, status, appointment ?? null],
    )
  }

  async function list(as: Person, query = ''): Promise<Json[]> {
    const answer = await core.get(`/v1/attention${query}`, { as })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const kinds = async (as: Person, query = ''): Promise<string[]> => (await list(as, query)).map(({ kind }) => kind)

  const mark = (as: Person, key: string, body: object) =>
    core.put(`/v1/attention/${encodeURIComponent(key)}`, { as, body })

  return { id, plan, run, pain, specialist, service, visit, form, list, kinds, mark }
}
