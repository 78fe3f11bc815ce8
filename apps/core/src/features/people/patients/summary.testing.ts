import assert from 'node:assert/strict'
import type { TestCore } from '../../../testing/core.ts'
import { runsOf } from '../../care/session-runs/runs.testing.ts'
import { formTools } from '../../records/forms/forms.testing.ts'
import { type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'

const HOUR_MS = 3_600_000

/** A clinic with a patient of whom every list has something. */
export function recordsOf(core: TestCore) {
  const runs = runsOf(core)
  const forms = formTools(core)

  interface Visit {
    /** From now. */
    hours: number
    status?: string
    missing?: string[]
  }

  async function visit(
    clinic: SchedulingClinic,
    patient: { id: string; profile_id: string },
    { hours, status = 'confirmed', missing = [] }: Visit,
  ): Promise<string> {
    const starts = new Date(Date.now() + hours * HOUR_MS)
    const [row] = await core.database.query<{ id: string }>(
      `insert into appointments (organization_id, service_id, specialist_id, patient_id, patient_profile_id, starts_at, ends_at,
         time_zone, mode, status, source, missing_consents)
       values ($1, $2, $3, $4, $5, $6, $7, 'Europe/Bucharest', 'in_person', $8, 'staff', $9) returning id`,
      [
        clinic.id,
        clinic.service.id,
        clinic.specialist.id,
        patient.id,
        patient.profile_id,
        starts,
        new Date(starts.getTime() + HOUR_MS / 2),
        status,
        missing,
      ],
    )
    assert.ok(row)
    return row.id
  }

  /** A run that ended, this many days ago, with a report of pain. */
  async function run(of: Awaited<ReturnType<typeof runs.patient>>, days: number, severity?: number): Promise<string> {
    const id = await runs.started(of)
    if (severity !== undefined) await runs.pain(of, id, { severity })
    await runs.end(of, id)
    for (const [table, column] of [
      ['session_runs', 'started_at'],
      ['pain_reports', 'created_at'],
    ])
      await core.database.query(
        `update ${table} set ${column} = now() - make_interval(days => $2)
         where ${table === 'session_runs' ? 'id' : 'session_run_id'} = $1`,
        [id, days],
      )
    return id
  }

  async function clinicWithPatient() {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const patient = await runs.patient(clinic)
    const condition = await runs.suffersFrom(clinic, patient.id, await runs.condition(clinic))
    const [last, next] = [
      await visit(clinic, patient, { hours: -48, status: 'completed' }),
      await visit(clinic, patient, { hours: 48, missing: ['telemedicine'] }),
    ]
    const runId = await run(patient, 1, 6)
    const template = await forms.template(clinic, [{ key: 'note', label: 'Note', type: 'text' }])
    const body = { form_template_id: template, patient_profile_id: patient.profile_id }
    const form = await forms.ok(core.post('/v1/forms', { as: clinic.admin, body }), 201)
    return { clinic, patient, condition, last, next, runId, template, form: form.data }
  }

  return { ...runs, visit, run, clinicWithPatient }
}
