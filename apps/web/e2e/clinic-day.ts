import assert from 'node:assert/strict'
import { ensureProgram, givePlan, KNEE } from '../../../scripts/start/demo-plans.ts'
import type { TestClinic } from './people.ts'
import type { useWorld } from './world.ts'

type World = ReturnType<typeof useWorld>

/** A clinic with data: specialist, service with hours, form, patients, plans, a session with pain. */
export async function clinicDay(world: World) {
  const { api, people, services } = world
  const clinic: TestClinic = await people.clinic({ time_zone: 'Europe/Bucharest' })
  const { admin, specialist } = clinic
  await people.publishNotice(clinic)
  const maria = await people.patient(clinic, { first: 'Maria', last: 'Stan' })
  const silent = await people.patient(clinic, { first: 'Ștefan', last: 'Țurcanu' })

  const therapist = await api.post('/v1/specialists', admin, {
    name: 'Andrei Popescu',
    slug: `andrei-${clinic.slug}`,
    title: 'Physiotherapist',
  })
  const service = await api.post('/v1/services', admin, {
    name: 'Physiotherapy session',
    duration_minutes: 45,
    min_notice_minutes: 0,
    specialist_ids: [therapist.id],
  })
  await api.post('/v1/calendars', admin, {
    specialist_id: therapist.id,
    name: 'Week',
    service_ids: [service.id],
    weekly_hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '08:00', end: '20:00' })),
  })

  const template = await api.post('/v1/form-templates', admin, {
    title: 'Assessment',
    type: 'assessment',
    fields: [
      { key: 'flexion', label: 'Flexion (degrees)', type: 'number', min: 0, max: 180, required: true },
      { key: 'finding', label: 'Finding', type: 'textarea' },
    ],
  })
  await api.post(`/v1/form-templates/${template.id}/publish`, admin, {})
  const form = await api.post('/v1/forms', specialist, {
    form_template_id: template.id,
    patient_profile_id: maria.record.patient_profile_id,
  })
  await api.put(`/v1/forms/${form.id}`, specialist, { values: { field_flexion: 95, field_finding: 'Limited.' } })

  const program = await ensureProgram(api, specialist, KNEE)
  const plan = await givePlan(api, specialist, maria.record.id, program)
  const oldPlan = await givePlan(api, specialist, silent.record.id, program)
  await services.database.query(`update treatment_plans set activated_at = now() - interval '9 days' where id = $1`, [
    oldPlan.id,
  ])
  const { sessions } = await api.get(`/v1/treatment-plans/${plan.id}`, specialist)
  await grantTelerehab(world, clinic, maria.record.id)
  const { run_id } = await api.rawPost('/v1/session-runs', maria.email, { plan_session_id: sessions[0].id })
  await api.rawPost(`/v1/session-runs/${run_id}/pain`, maria.email, { severity: 7, action: 'rest' })
  await api.rawPost(`/v1/session-runs/${run_id}/end`, maria.email, { termination: 'ended_explicit' })
  return { clinic, maria, silent, therapist, service, template, form, program, plan, runId: String(run_id) }
}

/** The consents that a patient needs for a session. */
async function grantTelerehab({ api }: World, clinic: TestClinic, patientId: string): Promise<void> {
  const at = `/v1/organizations/${clinic.id}/patients/${patientId}/consents`
  const { data } = await api.raw(at, clinic.admin)
  const codes = data.map(({ purpose_code }: { purpose_code: string }) => purpose_code)
  assert.ok(codes.includes('telerehab'), codes.join(', '))
  const versions = await api.raw('/v1/consent-purposes/telerehab/versions', clinic.admin)
  const version = versions.data[0].version
  await api.rawPost(`${at}/grant`, clinic.admin, {
    grants: [{ purpose_code: 'telerehab', purpose_version: version }],
  })
}
