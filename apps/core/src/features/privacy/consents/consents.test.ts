import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hashApiKey, IMPERSONATION_PREFIX } from '@tendon/access'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

describe('my consents', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithPatient(person?: Person) {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const me = person ?? (await core.signIn())
    const patient = await core.patient(clinic, me)
    return { clinic, me, patient }
  }
  const toggle = (organization_id: string | null, purpose_code = 'marketing_email', purpose_version = 1) => ({
    organization_id,
    purpose_code,
    purpose_version,
    source: 'self_toggle',
  })
  const grant = (as: Person, ...grants: object[]) => core.post('/v1/me/consents', { as, body: { grants } })
  const withdraw = (as: Person, id: string, body?: object) =>
    core.post(`/v1/me/consents/${id}/withdraw`, { as, ...(body ? { body } : {}) })
  const states = async (as: Person | { token: string }): Promise<Json[]> =>
    (await core.get('/v1/me/consents', { as })).body.data
  /** Without names, texts and the preview: see preview.test.ts. */
  const described = ({
    organization_name,
    name,
    description,
    accepted_body,
    text,
    newer_text,
    withdrawal,
    ...state
  }: Json) => {
    assert.deepEqual([accepted_body, newer_text, withdrawal], [null, false, null])
    assert.ok(organization_name && name && description && text.body)
    return state
  }
  const stateOf = async (as: Person, organizationId: string | null, code: string) =>
    (await states(as)).find((state) => state.organization_id === organizationId && state.purpose_code === code)

  test('before any consent is given, every purpose that applies is listed, with an empty history', async () => {
    const { clinic, me } = await clinicWithPatient()
    const other = await clinicWithPatient(me)
    const data = await states(me)
    const at = (place: string | null) => data.filter((state) => state.organization_id === place)
    assert.deepEqual([at(null).length, at(clinic.id).length, at(other.clinic.id).length, data.length], [2, 10, 10, 22])
    assert.deepEqual(described(at(clinic.id).find(({ purpose_code }) => purpose_code === 'org_terms')), {
      organization_id: clinic.id,
      purpose_code: 'org_terms',
      scope: 'org',
      legal_basis: 'contract',
      withdrawable: false,
      current: null,
      history: [],
    })
  })

  test('a grant is recorded with who, when, from where, and shows as current and in the history', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const answer = await grant(me, toggle(clinic.id))
    assert.equal(answer.status, 201, answer.text)
    const [row] = answer.body.data
    assert.deepEqual(row, {
      id: row.id,
      organization_id: clinic.id,
      patient_profile_id: patient.profile_id,
      purpose_code: 'marketing_email',
      purpose_version: 1,
      source: 'self_toggle',
      source_form_id: null,
      granted_at: row.granted_at,
      granted_by_principal_id: me.id,
      granted_via_ip: '127.0.0.1',
      withdrawn_at: null,
      withdrawn_by_principal_id: null,
      withdrawal_reason: null,
      created_at: row.created_at,
    })
    const { id, granted_at } = row
    const seen = { purpose_version: 1, granted_at, source: 'self_toggle' }
    const { current, history } = await stateOf(me, clinic.id, 'marketing_email')
    assert.deepEqual([current, history], [{ id, ...seen }, [{ id, ...seen, withdrawn_at: null }]])
  })

  test('withdrawn, then granted again: a new row each time, and the history is kept', async () => {
    const { clinic, me } = await clinicWithPatient()
    const first = (await grant(me, toggle(clinic.id))).body.data[0]
    const ended = await withdraw(me, first.id, { withdrawal_reason: 'Too many messages' })
    assert.equal(ended.status, 200, ended.text)
    const { withdrawn_at, ...rest } = ended.body.data
    assert.ok(withdrawn_at >= first.granted_at)
    const { withdrawn_at: _, ...as } = first
    assert.deepEqual(rest, { ...as, withdrawn_by_principal_id: me.id, withdrawal_reason: 'Too many messages' })
    assert.equal((await stateOf(me, clinic.id, 'marketing_email')).current, null)
    const second = (await grant(me, { ...toggle(clinic.id), source: 'signup_checkbox' })).body.data[0]
    assert.notEqual(second.id, first.id)
    const { current, history } = await stateOf(me, clinic.id, 'marketing_email')
    assert.equal(current.id, second.id)
    assert.deepEqual(
      history.map((row: Json) => [row.source, row.withdrawn_at]),
      [['signup_checkbox', null], ['self_toggle', withdrawn_at]], // biome-ignore format: rows
    )
  })

  test('granting an active consent returns its row and inserts nothing, also within one batch and after a retry', async () => {
    const { clinic, me } = await clinicWithPatient()
    const [row] = (await grant(me, toggle(clinic.id), toggle(clinic.id))).body.data
    const again = await grant(me, toggle(clinic.id))
    assert.deepEqual([again.status, again.body.data], [201, [row]])
    const headers = { 'idempotency-key': 'key-1' }
    const body = { grants: [toggle(clinic.id, 'analytics'), toggle(null, 'platform_terms')] }
    const [one, two] = [
      await core.post('/v1/me/consents', { as: me, body, headers }),
      await core.post('/v1/me/consents', { as: me, body, headers }),
    ]
    assert.deepEqual([one.status, two.status, two.text], [201, 201, one.text])
    const rows = await core.database.query('select 1 from consents where granted_by_principal_id = $1', [me.id])
    assert.equal(rows.length, 3)
  })

  test('a newer text supersedes the consent; the older version is stale (409)', async () => {
    const { clinic, me } = await clinicWithPatient()
    const [old] = (await grant(me, toggle(clinic.id, 'org_privacy_notice'))).body.data
    await core.publishNotice(clinic)
    const stale = await grant(me, toggle(clinic.id, 'org_privacy_notice'))
    assert.deepEqual([stale.status, stale.body.error.code], [409, 'stale_version'])
    assert.match(stale.body.error.message, /org_privacy_notice in force is version 2/)
    const [fresh] = (await grant(me, toggle(clinic.id, 'org_privacy_notice', 2))).body.data
    const { current, history } = await stateOf(me, clinic.id, 'org_privacy_notice')
    assert.equal(current.id, fresh.id)
    assert.deepEqual(history.map((row: Json) => [row.purpose_version, row.withdrawn_at === null]), [[2, true], [1, false]]) // biome-ignore format: rows
    const [ended] = await core.database.query('select ended_as from consents where id = $1', [old.id])
    assert.deepEqual(ended, { ended_as: 'superseded' })
    const future = await grant(me, toggle(clinic.id, 'org_privacy_notice', 3))
    assert.equal(future.body.error.code, 'stale_version')
  })

  test('a batch is all or nothing', async () => {
    const { clinic, me } = await clinicWithPatient()
    const refused = await grant(
      me,
      toggle(clinic.id),
      toggle(null, 'platform_terms'),
      toggle(clinic.id, 'analytics', 9),
    )
    assert.equal(refused.status, 409)
    assert.ok((await states(me)).every(({ history }) => history.length === 0))
  })

  test('unknown purposes, the wrong scope, forged sources and bad batches are named, field by field (422)', async () => {
    const { clinic, me } = await clinicWithPatient()
    const scopes = await grant(
      me,
      toggle(clinic.id),
      toggle(clinic.id, 'platform_terms'),
      toggle(null),
      toggle(null, 'x'),
    )
    assert.deepEqual([scopes.status, scopes.body.error.code], [422, 'validation_failed'])
    assert.deepEqual(
      Object.keys(scopes.body.error.fields),
      [1, 2, 3].map((place) => `grants.${place}.purpose_code`),
    )
    for (const source of ['form', 'staff_action', 'api', null, undefined]) {
      const { status, body } = await grant(me, { ...toggle(clinic.id), source })
      assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['grants.0.source']], String(source))
    }
    const { organization_id: _, ...placeless } = toggle(clinic.id)
    const bodies = [{ grants: [] }, { grants: Array(51).fill(toggle(clinic.id)) }, { grants: [placeless] }, {}, null]
    for (const body of [...bodies, { grants: [{ ...toggle(clinic.id), granted_by_principal_id: UNKNOWN }] }]) {
      assert.equal((await core.post('/v1/me/consents', { as: me, body })).status, 422, JSON.stringify(body))
    }
    assert.ok((await states(me)).every(({ history }) => history.length === 0))
  })

  test('a consent at a clinic where the caller is not a patient is refused like one at an unknown clinic (404)', async () => {
    const { me } = await clinicWithPatient()
    const { clinic: other } = await clinicWithPatient()
    const answers = [await grant(me, toggle(other.id)), await grant(me, toggle(UNKNOWN))]
    assert.deepEqual(answers.map(({ status }) => status), [404, 404]) // biome-ignore format: one line
    assert.deepEqual(answers[0]?.body, answers[1]?.body)
  })

  test('until the clinic has published its notice no consent can be given there (409)', async () => {
    const clinic = await core.organization()
    const me = await core.signIn()
    await core.patient(clinic, me)
    for (const code of ['org_terms', 'marketing_email', 'org_privacy_notice']) {
      const { status, body } = await grant(me, toggle(clinic.id, code))
      assert.deepEqual([status, body.error.code], [409, 'privacy_notice_unpublished'], code)
    }
    assert.equal(
      (await grant(me, toggle(null, 'platform_terms'))).status,
      201,
      'the platform’s own are not bound to it',
    )
  })

  test('a purpose whose legal basis is not consent cannot be withdrawn (409)', async () => {
    const { clinic, me } = await clinicWithPatient()
    const codes = ['org_terms', 'org_privacy_notice', 'platform_terms', 'platform_privacy_notice']
    const rows = (await grant(me, ...codes.map((code) => toggle(code.startsWith('org') ? clinic.id : null, code)))).body
      .data
    assert.equal(rows.length, 4)
    for (const { id } of rows) {
      const { status, body } = await withdraw(me, id)
      assert.deepEqual([status, body.error.code], [409, 'not_withdrawable'])
    }
    assert.equal((await states(me)).filter(({ current }) => current !== null).length, 4)
  })

  test('a withdrawn consent, one of somebody else and an unknown one are 404', async () => {
    const { clinic, me } = await clinicWithPatient()
    const stranger = await clinicWithPatient()
    const [{ id }] = (await grant(me, toggle(clinic.id))).body.data
    const [{ id: foreign }] = (await grant(stranger.me, toggle(stranger.clinic.id))).body.data
    await withdraw(me, id)
    for (const gone of [id, foreign, UNKNOWN, 'x']) {
      const { status, body } = await withdraw(me, gone)
      assert.deepEqual([status, body.error.code], [404, 'not_found'], gone)
    }
    assert.ok((await stateOf(stranger.me, stranger.clinic.id, 'marketing_email')).current)
  })

  test('a consent for the platform is stored once per human, on the first profile', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    const [row] = (await grant(me, toggle(null, 'platform_terms'))).body.data
    assert.deepEqual([row.organization_id, row.patient_profile_id], [null, patient.profile_id])
    await core.database.query(`update patient_profiles set created_at = now() - interval '1 day' where id = $1`, [
      second.patient.profile_id,
    ])
    const headers = { 'x-organization-id': second.clinic.id }
    const again = await core.post('/v1/me/consents', {
      as: me,
      headers,
      body: { grants: [toggle(null, 'platform_terms'), toggle(clinic.id)] },
    })
    assert.deepEqual(again.body.data[0], row)
    assert.equal(again.body.data[1].patient_profile_id, patient.profile_id)
  })

  test('each clinic’s audit log gets its own part of a batch under the patient’s key; the platform’s part goes to none', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    const answer = await grant(me, toggle(clinic.id), toggle(second.clinic.id), toggle(null, 'platform_terms'))
    await withdraw(me, answer.body.data[1].id, { withdrawal_reason: 'No' })
    const entries = (as: Person) => core.get('/v1/audit-logs?target_type=consent', { as })
    const [first] = (await entries(clinic.admin)).body.data.filter(({ action }: Json) => action === 'consents.grant')
    assert.deepEqual(
      [first.target.id, first.actor.type, first.actor.principal_id, first.patient_profile_id, first.crud],
      [answer.body.data[0].id, 'patient', me.id, patient.profile_id, 'C'],
    )
    const actions = (await entries(second.clinic.admin)).body.data
      .filter(({ action }: Json) => action.startsWith('consents.'))
      .map(({ action, reason }: Json) => [action, reason])
    assert.deepEqual(actions, [['consents.withdraw', 'No'], ['consents.grant', null]]) // biome-ignore format: rows
    const logged = await core.database.query<{ organization_id: string | null }>(
      `select organization_id from audit_log where target_id = $1`,
      [answer.body.data[2].id],
    )
    assert.deepEqual(logged, [{ organization_id: null }])
  })

  test('each grant and withdrawal publishes an event at its clinic', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const [{ id }] = (await grant(me, toggle(clinic.id, 'telerehab'))).body.data
    await withdraw(me, id)
    const events = await core.database.query<Json>(
      `select organization_id, type, payload from outbox_events where payload ->> 'consent_id' = $1 order by id`,
      [id],
    )
    const payload = {
      consent_id: id,
      patient_id: patient.id,
      patient_profile_id: patient.profile_id,
      purpose_code: 'telerehab',
      purpose_version: 1,
    }
    assert.deepEqual(events, [
      { organization_id: clinic.id, type: 'consent.granted', payload: { ...payload, ended_as: null } },
      { organization_id: clinic.id, type: 'consent.withdrawn', payload: { ...payload, ended_as: 'withdrawn' } },
    ])
  })

  test('the routes are for patients only, and work while the gate is closed', async () => {
    const { clinic, me } = await clinicWithPatient()
    assert.equal((await core.get('/v1/organizations', { as: me })).status, 412)
    assert.equal((await core.get('/v1/me/consents', { as: me })).status, 200)
    for (const as of [clinic.admin, await core.signIn(), await core.superadmin()]) {
      assert.equal((await core.get('/v1/me/consents', { as })).status, 403)
      assert.equal((await grant(as, toggle(clinic.id))).status, 403)
    }
    assert.equal((await core.get('/v1/me/consents')).status, 401)
  })

  test('impersonation shows the consents of the caller’s clinic only, and cannot change them', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    await grant(me, toggle(clinic.id), toggle(second.clinic.id), toggle(null, 'platform_terms'))
    const token = `${IMPERSONATION_PREFIX}${'a'.repeat(43)}`
    await core.database.query(
      `insert into impersonations (organization_id, patient_id, principal_id, hash, expires_at)
       values ($1, $2, $3, $4, now() + interval '5 minutes')`,
      [clinic.id, patient.id, clinic.admin.id, hashApiKey(token)],
    )
    const data = await states({ token })
    assert.deepEqual([...new Set(data.map(({ organization_id }) => organization_id))], [clinic.id])
    assert.equal(data.filter(({ current }) => current).length, 1)
    const refused = await core.post('/v1/me/consents', { as: { token }, body: { grants: [toggle(clinic.id)] } })
    assert.equal(refused.status, 403)
  })
})
