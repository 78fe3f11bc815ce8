import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { days, factsOf, hours } from './attention.testing.ts'

const BOOKER = { name: 'Ion Popescu', email: 'ion@mail.example', phone: '0722 555 010' }

describe('what needs attention', () => {
  let core: TestCore
  let facts: ReturnType<typeof factsOf>
  before(async () => {
    core = await sharedCore()
    facts = factsOf(core)
  })
  after(() => core.close())

  const clinicDay = async (of: TestOrganization, after: number): Promise<string> => {
    const [row] = await core.database.query<{ day: string }>(
      `select ((now() at time zone time_zone)::date + $2::integer)::text as day from organizations where id = $1`,
      [of.id, after],
    )
    assert.ok(row)
    return row.day
  }

  /** One fact of each kind about patients and visits. */
  async function everyKind(of: TestOrganization) {
    const [hurt, quiet, signing, ending] = await Promise.all(
      ['Ana', 'Bogdan', 'Carmen', 'Dan'].map((first_name) => core.patient(of, undefined, { first_name })),
    )
    assert.ok(hurt && quiet && signing && ending)
    const pain = await facts.pain(of, hurt)
    await facts.plan(of, quiet)
    const form = await facts.form(of, signing)
    const pending = await facts.visit(of, { patient: hurt, status: 'pending' })
    const booked = await facts.visit(of, { booker: BOOKER })
    const freed = {
      specialist_id: await facts.specialist(of),
      location_id: null,
      starts_at: days(2),
      ends_at: days(2),
    }
    const waiting = await facts.visit(of, { patient: hurt, status: 'waitlist', starts: null, freed })
    const open = await facts.visit(of, { patient: signing, starts: hours(-4) })
    const plan = await facts.plan(of, ending, { since: hours(-1), ends_on: await clinicDay(of, 6) })
    const unfilled = await facts.form(of, signing, 'pending', open)
    return { hurt, quiet, signing, ending, pain, form, pending, booked, waiting, open, plan, unfilled }
  }

  test('every kind about patients and visits is listed, in the order of their weight', async () => {
    const clinic = await core.organization()
    const made = await everyKind(clinic)
    const listed = await facts.list(clinic.admin)
    assert.deepEqual(
      listed.map(({ kind, patient }) => [kind, patient?.name ?? null]),
      [
        ['pain', 'Ana Stan'],
        ['not_exercising', 'Bogdan Stan'],
        ['to_sign', 'Carmen Stan'],
        ['to_confirm', 'Ana Stan'],
        ['unlinked', null],
        ['slot_freed', 'Ana Stan'],
        ['not_closed', 'Carmen Stan'],
        ['plan_ends', 'Dan Stan'],
        ['incomplete', 'Carmen Stan'],
      ],
    )
    assert.ok(listed.every(({ mark }) => mark === null))
    const [pain, , , pending, booked, , , plan, unfilled] = listed
    assert.deepEqual([pain.key, pain.params.severity, pain.params.warning_signs], [`pain.${made.pain}`, 6, []])
    assert.equal(pain.patient.id, made.hurt.id)
    assert.deepEqual([pending.params.appointment_id, pending.params.service.name], [made.pending, 'First visit'])
    assert.deepEqual([booked.params.appointment_id, booked.params.booker_name], [made.booked, BOOKER.name])
    assert.deepEqual([plan.params.treatment_plan_id, plan.params.ends_on], [made.plan, await clinicDay(clinic, 6)])
    assert.deepEqual([unfilled.params.form_id, unfilled.params.appointment_id], [made.unfilled, made.open])
  })

  test('a freed time that somebody has again is not listed, nor one that has begun', async () => {
    const clinic = await core.organization()
    const [patient, specialist_id] = [await core.patient(clinic), await facts.specialist(clinic)]
    const freed = (from: number) => ({
      specialist_id,
      location_id: null,
      starts_at: hours(from),
      ends_at: hours(from + 1),
    })
    const waiting = async (from: number) =>
      facts.visit(clinic, { patient, status: 'waitlist', starts: null, freed: freed(from) })
    await waiting(-0.5)
    await waiting(24)
    const open = await waiting(26)
    const slots = async () => (await facts.kinds(clinic.admin)).filter((kind) => kind === 'slot_freed').length
    assert.equal(await slots(), 2)
    await facts.visit(clinic, { specialist: specialist_id, starts: hours(24.5) })
    const listed = (await facts.list(clinic.admin)).filter(({ kind }) => kind === 'slot_freed')
    assert.deepEqual(
      listed.map(({ params }) => params.appointment_id),
      [open],
    )
  })

  test('each kind is listed only with the permission of its list; without any, nothing about patients is', async () => {
    const clinic = await core.organization()
    await everyKind(clinic)
    const seenWith = async (...codes: string[]) => facts.kinds(await core.memberWith(clinic, codes))
    assert.deepEqual(await seenWith(), [])
    assert.deepEqual(await seenWith('patients.view_org'), [])
    assert.deepEqual(await seenWith('session_runs.view_org'), [], 'the list of runs needs patients.view_org')
    assert.deepEqual(await seenWith('session_runs.view_org', 'patients.view_org'), ['pain'])
    assert.deepEqual(await seenWith('treatment_plans.view_org', 'patients.view_org'), ['not_exercising', 'plan_ends'])
    assert.deepEqual(await seenWith('forms.view_org', 'patients.view_org'), ['to_sign'])
    const desk = await core.memberWith(clinic, ['appointments.view_org'])
    const visits = await facts.list(desk)
    assert.deepEqual(
      visits.map(({ kind }) => kind),
      ['to_confirm', 'unlinked', 'slot_freed', 'not_closed'],
    )
    assert.ok(
      visits.every(({ patient }) => patient === null),
      'names need patients.view_org',
    )
  })

  test('another clinic sees none of it', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    await everyKind(clinic)
    assert.deepEqual(await facts.list(other.admin), [])
  })

  test('pain counts from 4 on and for 7 days; with a warning sign always, and before everything else', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const run = await facts.run(clinic, patient)
    await facts.pain(clinic, patient, { run, severity: 3 })
    await facts.pain(clinic, patient, { run, severity: 10, at: days(-7.01) })
    const first = await facts.pain(clinic, patient, { run, severity: 4, at: days(-6.99) })
    const second = await facts.pain(clinic, patient, { run, severity: 9, at: days(-1) })
    const warning = await facts.pain(clinic, patient, { run, severity: 1, signs: ['chest_pain'] })
    const feedback = await facts.id(
      `insert into session_feedback (organization_id, session_run_id, patient_profile_id, perceived_exertion, pain)
       values ($1, $2, $3, 5, 5)`,
      [clinic.id, run, patient.profile_id],
    )
    assert.deepEqual(
      (await facts.list(clinic.admin)).map(({ key }) => key),
      [`pain.${warning}`, `pain.${first}`, `pain.${second}`, `pain.${feedback}.5`],
    )
  })

  test('a patient does not exercise when no session began for 3 days, counted from the start of a new plan', async () => {
    const clinic = await core.organization()
    const [fresh, active, quiet, ended] = await Promise.all(Array.from({ length: 4 }, () => core.patient(clinic)))
    assert.ok(fresh && active && quiet && ended)
    await facts.plan(clinic, fresh, { since: days(-2.9) })
    await facts.run(clinic, active, days(-2), await facts.plan(clinic, active))
    await facts.run(clinic, quiet, days(-3.1), await facts.plan(clinic, quiet))
    await facts.plan(clinic, ended, { ends_on: await clinicDay(clinic, -1) })
    const listed = await facts.list(clinic.admin)
    assert.deepEqual(
      listed.map(({ kind, patient }) => [kind, patient.id]),
      [['not_exercising', quiet.id]],
    )
    assert.ok(listed[0]?.params.last_run_at)
    const support = await core.memberWith(clinic, ['treatment_plans.view_org', 'patients.view_org'])
    assert.deepEqual(await facts.list(support), listed, 'also for those who may not see sessions')
  })

  test('a visit is not closed two hours after its end, a pending one is to confirm until then', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    await facts.visit(clinic, { patient, starts: hours(-2.9) })
    await facts.visit(clinic, { patient, starts: hours(-9), status: 'completed' })
    await facts.visit(clinic, { patient, starts: hours(-9), status: 'cancelled' })
    const late = await facts.visit(clinic, { patient, starts: hours(-3.1) })
    const pending = await facts.visit(clinic, { patient, starts: hours(-2.9), status: 'pending' })
    const forgotten = await facts.visit(clinic, { patient, starts: hours(-30), status: 'pending' })
    assert.deepEqual(
      (await facts.list(clinic.admin)).map(({ key }) => key),
      [`to_confirm.${pending}`, `not_closed.${late}`, `not_closed.${forgotten}`],
    )
  })

  test('a deleted patient is not listed, a restricted one is', async () => {
    const clinic = await core.organization()
    const [gone, restricted] = [await core.patient(clinic), await core.patient(clinic)]
    for (const patient of [gone, restricted]) await facts.pain(clinic, patient)
    await core.database.query('update patients set restricted_at = now() where id = $1', [restricted.id])
    await core.database.query('update patients set deleted_at = now() where id = $1', [gone.id])
    const listed = await facts.list(clinic.admin)
    assert.deepEqual(
      listed.map(({ patient }) => patient.id),
      [restricted.id],
    )
    const refused = await facts.mark(clinic.admin, listed[0]?.key, { state: 'done' })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'processing_restricted'])
  })

  test('mine are the patients whom the caller leads or who have a visit with the caller, and what concerns no patient', async () => {
    const clinic = await core.organization()
    const person = await core.member(clinic, 'specialist')
    const me = await facts.specialist(clinic, person)
    const patients = await Promise.all(Array.from({ length: 4 }, () => core.patient(clinic)))
    const [led, seen, cancelled, others] = patients
    assert.ok(led && seen && cancelled && others)
    for (const patient of patients) await facts.pain(clinic, patient)
    await core.database.query('update patients set lead_specialist_id = $2 where id = $1', [led.id, me])
    await facts.visit(clinic, { patient: seen, specialist: me, starts: days(-40), status: 'completed' })
    await facts.visit(clinic, { patient: cancelled, specialist: me, status: 'cancelled' })
    const booked = await facts.visit(clinic, { booker: BOOKER })
    const mine = async (as: Person) =>
      (await facts.list(as, '?scope=mine')).map(
        ({ kind, patient, params }) => patient?.id ?? `${kind} ${params.appointment_id}`,
      )
    assert.deepEqual(new Set(await mine(person)), new Set([led.id, seen.id, `unlinked ${booked}`]))
    assert.equal((await facts.list(person, '?scope=clinic')).length, 5)
    assert.deepEqual(await mine(clinic.admin), [`unlinked ${booked}`], 'the admin is no specialist')
    assert.equal((await core.get('/v1/attention?scope=all', { as: person })).status, 422)
  })

  test('no more than 100 facts are listed', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const run = await facts.run(clinic, patient)
    await core.database.query(
      `insert into pain_reports (organization_id, session_run_id, patient_profile_id, severity, action)
       select $1, $2, $3, 5, 'rest' from generate_series(1, 130)`,
      [clinic.id, run, patient.profile_id],
    )
    await facts.form(clinic, patient)
    const kinds = await facts.kinds(clinic.admin)
    assert.equal(kinds.length, 100)
    assert.equal(kinds.at(-1), 'to_sign', 'each kind has a place')
  })

  test('an unchanged list is answered with 304, and no request of it is audited', async () => {
    const clinic = await core.organization()
    await facts.pain(clinic, await core.patient(clinic))
    const entries = () => core.database.query('select 1 from audit_log where organization_id = $1', [clinic.id])
    const before = (await entries()).length
    const first = await core.get('/v1/attention', { as: clinic.admin })
    const again = await core.get('/v1/attention', {
      as: clinic.admin,
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    assert.deepEqual([first.status, again.status], [200, 304])
    assert.equal((await entries()).length, before)
  })

  test('a superadmin needs break-glass access (403)', async () => {
    const clinic = await core.organization()
    const answer = await core.get('/v1/attention', {
      as: await core.superadmin(),
      headers: { 'x-organization-id': clinic.id },
    })
    assert.deepEqual([answer.status, answer.body.error.code], [403, 'break_glass_required'])
  })
})
