import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { TIMELINE_KINDS } from '@tendon/contracts'
import fc from 'fast-check'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { recordsOf } from '../patients/summary.testing.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

/** The kinds that each permission opens, beside conditions. */
const KINDS: Record<string, string[]> = {
  'appointments.view_org': ['visit'],
  'session_runs.view_org': ['run', 'pain'],
  'treatment_plans.view_org': ['plan'],
  'forms.view_org': ['form'],
  'documents.view_org': ['document'],
  'consents.view_org': ['consent'],
}

describe('the timeline of a patient', () => {
  let core: TestCore
  let records: ReturnType<typeof recordsOf>
  before(async () => {
    core = await sharedCore()
    records = recordsOf(core)
  })
  after(() => core.close())

  const read = (as: Person, id: string, query: Record<string, string> = {}) =>
    core.get(`/v1/patients/${id}/timeline?${new URLSearchParams(query).toString()}`, { as })
  const entries = async (as: Person, id: string, query: Record<string, string> = {}): Promise<Json[]> => {
    const { status, body, text } = await read(as, id, query)
    assert.equal(status, 200, text)
    return body.data
  }
  const kindsOf = (rows: Json[]) => [...new Set(rows.map(({ kind }) => String(kind)))].sort()
  const keyOf = ({ kind, id }: Json) => `${kind} ${id}`

  /** A document of a form, as if it had been rendered. */
  const print = (of: { id: string }, profileId: string, formId: string) =>
    core.database.query(
      `insert into appointment_documents (organization_id, kind, form_id, patient_profile_id, template_version, language,
         input_hash, object_key, pages, size, sha256, verification_code)
       values ($1, 'form', $2, $3, 0, 'en', $4, $5, 1, 1, '', $5)`,
      [of.id, formId, profileId, Buffer.from(randomUUID()), randomUUID()],
    )

  async function scene() {
    const made = await records.clinicWithPatient()
    await print(made.clinic, made.patient.profile_id, made.form.id)
    return made
  }

  test('visits, runs, plans, forms, documents, pain, consents and conditions are listed, newest first', async () => {
    const { clinic, patient, next, last, runId, form, condition } = await scene()
    const rows = await entries(clinic.admin, patient.id)
    assert.deepEqual(kindsOf(rows), [...TIMELINE_KINDS].sort())
    const times = rows.map(({ at }) => String(at))
    assert.deepEqual(times, [...times].sort().reverse())
    assert.equal(rows[0].id, next)
    const one = (kind: string, id: string) => {
      const { at: _at, ...found } = rows.find((row) => row.kind === kind && row.id === id) ?? {}
      return found
    }
    const specialist = { type: 'specialist', id: clinic.specialist.id, name: 'Ana' }
    const admin = { type: 'member', id: clinic.admin.id, name: clinic.admin.name }
    const self = { type: 'patient', id: patient.id, name: 'Maria Stan' }
    assert.deepEqual(one('visit', last), {
      kind: 'visit',
      id: last,
      title: 'Session',
      status: 'completed',
      actor: specialist,
    })
    assert.deepEqual(one('run', runId), {
      kind: 'run',
      id: runId,
      title: 'Monday',
      status: 'ended_explicit',
      actor: self,
    })
    assert.deepEqual(one('plan', patient.plan_id), {
      kind: 'plan',
      id: patient.plan_id,
      title: 'Knee',
      status: 'active',
      actor: admin,
    })
    assert.deepEqual(one('form', form.id), {
      kind: 'form',
      id: form.id,
      title: 'Intake',
      status: 'pending',
      actor: admin,
    })
    assert.deepEqual(one('condition', condition.id), {
      kind: 'condition',
      id: condition.id,
      title: 'Knee pain',
      status: 'active',
      actor: admin,
    })
    const [pain, document, consent] = ['pain', 'document', 'consent'].map((kind) =>
      rows.find((row) => row.kind === kind),
    )
    assert.deepEqual([pain.title, pain.status, pain.actor], ['6/10', 'rest', self])
    assert.deepEqual([document.title, document.status], ['Intake', 'form'])
    assert.deepEqual([consent.status, typeof consent.title], ['active', 'string'])
  })

  test('each kind needs the permission of its list, also when it is asked for', async () => {
    const { clinic, patient } = await scene()
    const asked = { kind: TIMELINE_KINDS.join() }
    const alone = await core.memberWith(clinic, ['patients.view_org'])
    assert.deepEqual(kindsOf(await entries(alone, patient.id, asked)), ['condition'])
    assert.deepEqual(await read(alone, patient.id, { kind: 'visit,plan' }).then(({ body }) => body), {
      data: [],
      next_before: null,
    })
    for (const [code, kinds] of Object.entries(KINDS)) {
      const member = await core.memberWith(clinic, ['patients.view_org', code])
      // A document of a form is for those who may see forms.
      const expected = ['condition', ...kinds].filter((kind) => kind !== 'document')
      assert.deepEqual(kindsOf(await entries(member, patient.id)), expected.sort(), code)
    }
    const printer = await core.memberWith(clinic, ['patients.view_org', 'documents.view_org', 'forms.view_org'])
    assert.deepEqual(kindsOf(await entries(printer, patient.id)), ['condition', 'document', 'form'])
    const [plan] = await entries(
      await core.memberWith(clinic, ['patients.view_org', 'treatment_plans.view_org']),
      patient.id,
      { kind: 'plan' },
    )
    assert.equal(plan.actor.name, clinic.admin.name)
    const stranger = await core.memberWith(clinic, Object.keys(KINDS))
    assert.equal((await read(stranger, patient.id)).status, 403)
  })

  test('staff who are patients here see no more of themselves than of others', async () => {
    const { clinic, patient } = await scene()
    const role = await core.memberWith(clinic, ['patients.view_org'])
    await core.database.query(
      `update organization_memberships set principal_id = $2 where organization_id = $1 and principal_id = $3`,
      [clinic.id, patient.person.id, role.id],
    )
    assert.deepEqual(kindsOf(await entries(patient.person, patient.id)), ['condition'])
  })

  test('visits that were moved or entered in error are left out, and linked records are included', async () => {
    const { clinic, patient, next, last } = await scene()
    const moved = await records.visit(clinic, patient, { hours: 30, status: 'cancelled' })
    await core.database.query('update appointments set rescheduled_to_id = $2 where id = $1', [moved, next])
    await records.visit(clinic, patient, { hours: -30, status: 'entered_in_error' })
    const visits = async (id: string) => (await entries(clinic.admin, id, { kind: 'visit' })).map((row) => row.id)
    assert.deepEqual(await visits(patient.id), [next, last])
    const main = await core.patient(clinic)
    assert.deepEqual(await visits(main.id), [])
    await core.database.query('update patients set merged_into_id = $1 where id = $2', [main.id, patient.id])
    assert.deepEqual(await visits(main.id), [next, last])
  })

  test('a withdrawn consent is listed at its withdrawal', async () => {
    const clinic = await schedulingClinic(core)
    const patient = await records.patient(clinic)
    await records.withdraw({ profile_id: patient.profile_id }, 'telerehab')
    const rows = await entries(clinic.admin, patient.id, { kind: 'consent' })
    assert.equal(rows[0].status, 'withdrawn')
  })

  test('a time or kind that is wrong is refused (422), a limit is 1 to 100', async () => {
    const { clinic, patient } = await scene()
    for (const [name, value] of [
      ['before', 'yesterday'],
      ['before', '2026-02-30T00:00:00Z'],
      ['before', `2026-11-15T09:30:00.000000Z~mail~${UNKNOWN}`],
      ['kind', 'visit,mail'],
      ['limit', '0'],
      ['limit', '101'],
    ] as const) {
      const answer = await read(clinic.admin, patient.id, { [name]: value })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(Object.keys(answer.body.error.fields), [name])
    }
    const past = await entries(clinic.admin, patient.id, { before: new Date().toISOString(), kind: 'visit' })
    assert.deepEqual(
      past.map(({ status }) => status),
      ['completed'],
    )
  })

  test('another clinic, a deleted and an unknown patient have no timeline (404); a restricted patient has one', async () => {
    const { clinic, patient } = await scene()
    const other = await core.organization()
    const outcome = async (as: Person, id: string) => (await read(as, id)).body.error?.code ?? 'found'
    assert.equal(await outcome(other.admin, patient.id), 'patient_not_found')
    assert.equal(await outcome(clinic.admin, UNKNOWN), 'patient_not_found')
    await records.restrict(patient)
    assert.equal(await outcome(clinic.admin, patient.id), 'found')
    await records.restrict(patient, false)
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    const member = await core.memberWith(clinic, ['patients.view_org'])
    assert.equal(await outcome(member, patient.id), 'patient_not_found')
  })

  test('each page is logged, and the patient reads so in the access log', async () => {
    const { clinic, patient } = await scene()
    const { body } = await read(clinic.admin, patient.id, { limit: '1' })
    await read(clinic.admin, patient.id, { limit: '1', before: body.next_before })
    const logged = await core.database.query(
      `select actor_principal_id, patient_profile_id from audit_log where target_id = $1 and action = 'patients.read_timeline'`,
      [patient.id],
    )
    const entry = { actor_principal_id: clinic.admin.id, patient_profile_id: patient.profile_id }
    assert.deepEqual(logged, [entry, entry])
    const mine = await core.get('/v1/me/access-log', { as: patient.person })
    const [newest] = mine.body.data
    assert.match(JSON.stringify(newest), /timeline/)
  })

  test('pages of any size and kinds have every entry once, in one order, also when many happened at one time', async () => {
    const { clinic, patient } = await scene()
    // Three times a microsecond apart, at which entries of every kind meet.
    await core.database.query(
      `insert into treatment_plans (organization_id, patient_profile_id, title, created_at)
       select $1, $2, 'Plan ' || n, '2026-03-01T10:00:00Z'::timestamptz + make_interval(secs => (n % 3) * 0.000001)
       from generate_series(1, 12) n`,
      [clinic.id, patient.profile_id],
    )
    await core.database.query(
      `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, fields, created_at)
       select organization_id, form_template_id, template_version, patient_profile_id, 'Form ' || n, type, fields,
         '2026-03-01T10:00:00Z'::timestamptz + make_interval(secs => (n % 3) * 0.000001)
       from forms, generate_series(1, 9) n where patient_profile_id = $1`,
      [patient.profile_id],
    )
    for (let n = 0; n < 7; n += 1) {
      const id = await records.visit(clinic, patient, { hours: 100 + n })
      await core.database.query(
        `update appointments set starts_at = t, ends_at = t + interval '1 hour', overlap_allowed = true
         from (select '2026-03-01T10:00:00Z'::timestamptz + make_interval(secs => $2 * 0.000001) as t) t where id = $1`,
        [id, n % 3],
      )
    }
    const all = await entries(clinic.admin, patient.id, { limit: '100' })
    assert.ok(all.length > 30)
    assert.equal(new Set(all.map(keyOf)).size, all.length)

    const kinds = fc.option(fc.subarray([...TIMELINE_KINDS], { minLength: 1 }))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), kinds, async (limit, asked) => {
        const query = { limit: String(limit), ...(asked && { kind: asked.join() }) }
        const paged: string[] = []
        let before: string | null | undefined
        do {
          const { body } = await read(clinic.admin, patient.id, { ...query, ...(before && { before }) })
          assert.ok(body.data.length <= limit)
          paged.push(...body.data.map(keyOf))
          before = body.next_before
        } while (before)
        const expected = all.filter(({ kind }) => !asked || asked.includes(kind))
        assert.deepEqual(paged, expected.map(keyOf))
      }),
    )
  })
})
