import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { formTools } from '../../records/forms/forms.testing.ts'
import { jobTools } from '../job.testing.ts'
import { NOTICE, RULES, RUNS, rule, SEVERE, startAutomations } from './automations.testing.ts'
import { timeOutExecutions } from './finishing.ts'

const DAY_MS = 86_400_000

describe('guards of automations', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  async function withTemplates(count: number) {
    const clinic = await core.organization()
    const patient = await core.patientOf(clinic)
    const { template } = formTools(core)
    const templates = []
    for (let made = 0; made < count; made += 1)
      templates.push(await template(clinic, [{ key: 'a', label: 'A', type: 'text' }]))
    return { clinic, patient, templates }
  }
  const onForm = (form_template_id: string) => ({
    trigger: { event: 'form.created', filter: { form_template_id: [form_template_id] } },
  })
  const createForm = (form_template_id: string | undefined) => ({ type: 'create_form', params: { form_template_id } })
  const formsOf = async (clinic: { id: string }) =>
    (
      await core.database.query<{ form_template_id: string }>(
        'select form_template_id from forms where organization_id = $1 order by id',
        [clinic.id],
      )
    ).map(({ form_template_id }) => form_template_id)

  test('a rule does not react to a form that it created itself', async () => {
    const { clinic, patient, templates } = await withTemplates(1)
    const [template = ''] = templates
    await core.created(clinic, [createForm(template)], { trigger: { event: 'form.created' } })
    const body = { form_template_id: template, patient_profile_id: patient.patient_profile_id }
    assert.equal((await core.post('/v1/forms', { as: clinic.admin, body })).status, 201)
    for (let round = 0; round < 4; round += 1) await core.runAll(clinic)
    const found = (await core.runsOf(clinic)).map(({ status, skip_reason }) => [status, skip_reason])
    assert.deepEqual(found, [
      ['skipped', 'loop'],
      ['succeeded', null],
    ])
    assert.equal((await formsOf(clinic)).length, 2)
    const { audited, published } = await core.finished(clinic)
    assert.deepEqual(
      [audited, published],
      [
        ['system success', 'system success'],
        ['succeeded', 'skipped'],
      ],
    )
  })

  test('two rules that trigger each other stop, and a chain of rules ends after three', async () => {
    const { clinic, patient, templates } = await withTemplates(6)
    const [first = '', second = '', ...chain] = templates
    await core.created(clinic, [createForm(second)], onForm(first))
    await core.created(clinic, [createForm(first)], onForm(second))
    const start = (form_template_id: string) =>
      core.post('/v1/forms', {
        as: clinic.admin,
        body: { form_template_id, patient_profile_id: patient.patient_profile_id },
      })
    await start(first)
    for (let round = 0; round < 6; round += 1) await core.runAll(clinic)
    assert.deepEqual(await formsOf(clinic), [first, second, first])
    // third → fourth → fifth → sixth → first, which would be the fifth rule in a row.
    const all = [...chain, first, second]
    for (const [index, template] of chain.entries())
      await core.created(clinic, [createForm(all[index + 1])], onForm(template))
    await start(chain[0] ?? '')
    for (let round = 0; round < 8; round += 1) await core.runAll(clinic)
    assert.deepEqual((await formsOf(clinic)).slice(3), all.slice(0, 5))
    assert.equal((await core.runsOf(clinic)).filter(({ skip_reason }) => skip_reason === 'loop').length, 2)
  })

  test('after 1,000 executions in an hour the rest are skipped, audited and published', async () => {
    const clinic = await core.organization()
    await core.used(clinic, [500, 499])
    await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    await core.pain(clinic)
    const [second, first] = await core.runAll(clinic)
    assert.deepEqual([first?.status, second?.status, second?.skip_reason], ['succeeded', 'skipped', 'quota'])
    assert.equal((await core.mailsOf(clinic)).length, 1)
    assert.deepEqual((await core.finished(clinic)).published.sort(), ['skipped', 'succeeded'])
    const other = await core.organization()
    await core.created(other, [NOTICE])
    await core.pain(other)
    assert.equal((await core.runAll(other))[0]?.status, 'succeeded')
    await core.database.query(
      `update automation_executions set created_at = now() - interval '2 hours' where organization_id = $1 and status = 'succeeded'`,
      [clinic.id],
    )
    await core.pain(clinic)
    assert.equal((await core.runAll(clinic)).find(({ skip_reason }) => skip_reason === null)?.status, 'succeeded')
  })

  test('an execution without progress for 24 hours times out once, audited and published; a waiting one does not', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [{ type: 'wait', params: { minutes: 3 * 24 * 60 } }, NOTICE])
    await core.pain(clinic)
    const [waiting] = await core.runAll(clinic)
    await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    await core.dispatch()
    const timeOut = () => timeOutExecutions(jobTools(core.worker))
    const statuses = async () => (await core.runsOf(clinic)).map(({ status }) => status).sort()
    await timeOut()
    assert.deepEqual(await statuses(), ['paused', 'queued', 'queued'])
    core.clock.now = new Date(Date.now() + DAY_MS + 60_000)
    await timeOut()
    await timeOut()
    assert.deepEqual(await statuses(), ['paused', 'timed_out', 'timed_out'])
    const { audited, published } = await core.finished(clinic)
    assert.deepEqual(audited, ['system failure', 'system failure'])
    assert.deepEqual(published, ['timed_out', 'timed_out'])
    for (const { id } of await core.runsOf(clinic)) if (id !== waiting?.id) await core.run(clinic, id)
    assert.equal((await core.mailsOf(clinic)).length, 0)
    core.clock.now = new Date(Date.now() + 5 * DAY_MS)
    await timeOut()
    assert.deepEqual(await statuses(), ['timed_out', 'timed_out', 'timed_out'])
    core.clock.now = new Date()
  })

  test('a canceled execution is published as such', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    await core.dispatch()
    const [queued] = await core.runsOf(clinic)
    assert.equal((await core.post(`${RUNS}/${queued?.id}/cancel`, { as: clinic.admin })).status, 200)
    assert.deepEqual((await core.finished(clinic)).published, ['canceled'])
  })

  test('the filter of a trigger decides before anything is written, and its fields and values are checked (422)', async () => {
    const clinic = await core.organization()
    const filter = { severity_band: ['severe', 'moderate'] }
    const { id } = await core.created(clinic, [NOTICE], { trigger: { event: 'pain.reported', filter } })
    await core.pain(clinic, 'mild')
    await core.pain(clinic, 'severe')
    assert.deepEqual(
      (await core.runAll(clinic)).map(({ status }) => status),
      ['succeeded'],
    )
    const { body } = await core.get(`${RULES}/${id}`, { as: clinic.admin })
    assert.deepEqual(body.data.trigger, { event: 'pain.reported', filter })
    const changed = await core.patch(`${RULES}/${id}`, { as: clinic.admin, body: { conditions: SEVERE } })
    assert.deepEqual([changed.body.data.trigger.filter, changed.body.data.version], [filter, 2])
    const same = await core.patch(`${RULES}/${id}`, { as: clinic.admin, body: { conditions: SEVERE } })
    assert.equal(same.body.data.version, 2)
    for (const wrong of [{ severity_band: ['deadly'] }, { note: ['a'] }, { constructor: ['a'] }]) {
      const sent = rule([NOTICE], { trigger: { event: 'pain.reported', filter: wrong } })
      const { status, body: refused } = await core.post(RULES, { as: clinic.admin, body: sent })
      assert.deepEqual([status, refused.error.code], [422, 'invalid_rule'])
      assert.deepEqual(Object.keys(refused.error.fields), [`trigger.filter.${Object.keys(wrong)[0]}`])
    }
  })

  test('simulate reads the patient of an event that names only the patient record', async () => {
    const clinic = await core.organization()
    const patient = await core.patientOf(clinic)
    const conditions = { mode: 'all', rules: [{ path: 'patient.sex', op: 'eq', value: 'female' }] }
    const { id } = await core.created(clinic, [NOTICE], { trigger: { event: 'segment.member.added' }, conditions })
    await core.database.query(`update patients set sex = 'female' where id = $1`, [patient.id])
    await core.publish(clinic, 'segment.member.added', { segment_id: randomUUID(), patient_id: patient.id })
    const simulated = async () => {
      const body = { since: new Date(Date.now() - 3_600_000).toISOString() }
      const { body: answer } = await core.post(`${RULES}/${id}/simulate`, { as: clinic.admin, body })
      return answer.data.map((one: { would_run: boolean; skip_reason: string | null }) => [
        one.would_run,
        one.skip_reason,
      ])
    }
    assert.deepEqual(await simulated(), [[true, null]])
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient.id])
    assert.deepEqual(await simulated(), [[false, 'patient_restricted']])
  })

  test('simulate writes no row into any table', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [NOTICE, { type: 'wait', params: { minutes: 5 } }])
    await core.pain(clinic)
    const counts = async () => {
      const tables = await core.database.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname in ('public', 'graphile_worker') order by 1`,
      )
      const parts = tables.map(({ name }) => `select '${name}' as name, count(*)::integer as rows from ${name}`)
      return core.database.query<{ name: string; rows: number }>(`${parts.join(' union all ')} order by name`)
    }
    const before = await counts()
    const body = { since: new Date(Date.now() - 3_600_000).toISOString() }
    const answer = await core.post(`${RULES}/${id}/simulate`, { as: clinic.admin, body })
    assert.deepEqual([answer.status, answer.body.data.length], [200, 1])
    assert.deepEqual(await counts(), before)
    assert.ok(before.length > 100)
  })

  test('simulate for one patient lists only the events about them', async () => {
    const clinic = await core.organization()
    const [one, two] = [await core.patientOf(clinic), await core.patientOf(clinic)]
    const { id } = await core.created(clinic, [NOTICE], { conditions: SEVERE })
    const about = await core.pain(clinic, 'severe', { patient_id: one.id, patient_profile_id: one.patient_profile_id })
    await core.pain(clinic, 'severe', { patient_id: two.id, patient_profile_id: two.patient_profile_id })
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const simulate = (patient_id: string, as = clinic.admin) =>
      core.post(`${RULES}/${id}/simulate`, { as, body: { since, patient_id } })
    const { body, text } = await simulate(one.id)
    assert.ok(body.data, text)
    assert.deepEqual(
      body.data.map(({ event_id, would_run }: { event_id: string; would_run: boolean }) => [event_id, would_run]),
      [[about, true]],
    )
    const unknown = await simulate(randomUUID())
    assert.deepEqual([unknown.status, Object.keys(unknown.body.error.fields)], [422, ['patient_id']])
    const foreign = await core.patientOf(await core.organization())
    assert.equal((await simulate(foreign.id)).status, 422)
  })
})
