import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

const ERASE = { confirm: 'ERASE' }

describe('erasing an account', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const erase = (as: Person | { token: string }, body: unknown = ERASE) => core.post('/v1/me/erase', { as, body })
  const countOf = async (text: string, values: unknown[]) => (await core.database.query(text, values)).length

  async function patientOfTwo() {
    const me = await core.signIn({ name: 'Ioana Marin' })
    const places = []
    for (const _ of [1, 2]) {
      const clinic = await core.organization()
      await core.publishNotice(clinic)
      const patient = await core.patient(clinic, me)
      await core.acceptAll(patient)
      places.push({ clinic, patient })
    }
    const [first, second] = places
    assert.ok(first && second)
    return { me, first, second, profiles: [first.patient.profile_id, second.patient.profile_id] }
  }

  test('withdraws every consent, also what is not withdrawable, on the platform and at each clinic', async () => {
    const { me, profiles } = await patientOfTwo()
    const answer = await erase(me)
    assert.equal(answer.status, 200, answer.text)
    const rows = await core.database.query<Json>(
      'select purpose_code, ended_as, withdrawn_at, granted_via_ip from consents where patient_profile_id = any($1)',
      [profiles],
    )
    assert.ok(rows.length >= 6)
    assert.ok(rows.every(({ ended_as, withdrawn_at }) => ended_as === 'erased' && withdrawn_at !== null))
  })

  test('erasing an account deletes name, e-mail address and number of the person, and unlinks the profiles', async () => {
    const { me, profiles } = await patientOfTwo()
    await core.put('/v1/me/switch-organization', { as: me, body: { organization_id: (await mine(me))[0] } })
    await core.patch('/v1/me', { as: me, body: { preferred_language: 'ro', name: 'Ioana M.' } })
    await core.database.query(
      `update patient_profiles set invited_email = 'ioana@mail.example', invited_at = now(), national_id_encrypted = 'x', national_id_index = 'y' where id = any($1)`,
      [profiles],
    )
    assert.equal((await erase(me)).status, 200)
    const [human] = await core.database.query<Json>('select * from humans where id = $1', [me.id])
    assert.deepEqual(
      [human.name, human.email, human.email_verified, human.preferred_language, human.current_organization_id],
      [null, null, false, null, null],
    )
    assert.equal(await countOf('select 1 from identities where human_id = $1', [me.id]), 0)
    const rows = await core.database.query<Json>('select * from patient_profiles where id = any($1)', [profiles])
    for (const row of rows) {
      const { human_id, claimed_at, invited_email, invited_at, national_id_encrypted, national_id_index } = row
      assert.deepEqual([human_id, claimed_at, invited_email, invited_at, national_id_encrypted, national_id_index], Array(6).fill(null)) // biome-ignore format: one line
    }
  })

  const mine = async (as: Person): Promise<string[]> =>
    (await core.get('/v1/me', { as })).body.data.patient_records.map((record: Json) => record.organization_id)

  test('each clinic hides its record, gets an event, and a job erases the record', async () => {
    const { me, first, second } = await patientOfTwo()
    const left = await core.organization()
    const former = await core.patient(left, me)
    await core.post(`/v1/me/organizations/${left.id}/leave`, { as: me, body: { confirm: true } })
    assert.equal((await erase(me)).status, 200)
    for (const { clinic, patient } of [first, second, { clinic: left, patient: former }]) {
      assert.equal(await countOf('select 1 from patients where id = $1 and deleted_at is not null', [patient.id]), 1)
      const events = await core.database.query<Json>(
        `select payload from outbox_events where organization_id = $1 and type = 'patient.account_erased'`,
        [clinic.id],
      )
      assert.deepEqual(events, [{ payload: { patient_id: patient.id, patient_profile_id: patient.profile_id } }])
      const jobs = await core.database.query<Json>(
        `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = 'gdpr.erase_account_record' and j.payload ->> 'organization_id' = $1`,
        [clinic.id],
      )
      assert.deepEqual(jobs.map(({ payload }) => payload.payload.patient_id), [patient.id]) // biome-ignore format: one line
      const entries = (await core.get('/v1/audit-logs?action=patients.erase_account', { as: clinic.admin })).body.data
      assert.deepEqual(entries.map(({ target }: Json) => target.id), [patient.id]) // biome-ignore format: one line
    }
  })

  test('the platform’s audit log keeps the entry and loses its personal text', async () => {
    const { me, profiles } = await patientOfTwo()
    await core.post('/v1/me/consents', {
      as: me,
      body: {
        grants: [{ organization_id: null, purpose_code: 'platform_terms', purpose_version: 1, source: 'self_toggle' }],
      },
    })
    assert.equal((await erase(me)).status, 200)
    const rows = await core.database.query<Json>(
      `select a.action, k.destroyed_at, k.wrapped_key from audit_log a join audit_keys k on k.id = a.key_id
       where a.organization_id is null and a.actor_principal_id = $1`,
      [me.id],
    )
    assert.ok(rows.some(({ action }) => action === 'me.erase'))
    assert.ok(rows.every(({ destroyed_at, wrapped_key }) => destroyed_at !== null && wrapped_key === null))
    const living = await countOf(
      'select 1 from audit_keys where organization_id is null and patient_profile_id = any($1) and destroyed_at is null',
      [profiles],
    )
    assert.equal(living, 0)
  })

  test('entries from before they were a patient, or of people who never were, lose their personal text too', async () => {
    const operator = await core.superadmin()
    for (const becomesPatient of [true, false]) {
      const me = await core.signIn({ name: 'Ioana Veche' })
      assert.equal((await core.patch('/v1/me', { as: me, body: { name: 'Ioana Nouă' } })).status, 200)
      const logged = async () =>
        (await core.get(`/v1/audit-logs?actor_principal_id=${me.id}`, { as: operator })).body.data
      assert.deepEqual(
        (await logged()).map(({ target, patient_profile_id, erased }: Json) => [
          target.label,
          patient_profile_id,
          erased,
        ]),
        [['Ioana Nouă', null, false]],
      )
      if (becomesPatient) await core.patient(await core.organization(), me)
      assert.equal((await erase(me)).status, 200)
      const entries: Json[] = await logged()
      assert.deepEqual(
        entries.map(({ action, actor, source_ip, changes, erased }) => [
          action,
          actor.name,
          source_ip,
          changes,
          erased,
        ]),
        ['me.erase', 'me.update'].map((action) => [action, null, null, null, true]),
      )
    }
  })

  test('the old session then belongs to a new, empty account', async () => {
    const { me } = await patientOfTwo()
    await erase(me)
    const { data } = (await core.get('/v1/me', { as: me })).body
    assert.notEqual(data.principal_id, me.id)
    assert.deepEqual([data.patient_records, data.memberships, data.current_organization], [[], [], null])
    assert.equal((await core.get('/v1/me/consents', { as: me })).status, 403)
  })

  test('other patients of the clinic and their consents are not affected', async () => {
    const { me, first } = await patientOfTwo()
    const other = await core.signIn()
    const patient = await core.patient(first.clinic, other)
    await core.acceptAll(patient)
    await erase(me)
    const { data } = (await core.get('/v1/me/consents', { as: other })).body
    assert.equal(data.filter((state: Json) => state.current).length, 4)
    assert.equal((await core.get('/v1/me', { as: other })).body.data.patient_records.length, 1)
  })

  const invite = async (email: string) => {
    const clinic = await core.organization()
    const body = { email, role_id: clinic.roles.specialist, name: 'Ioana Marin' }
    const answer = await core.post(`/v1/organizations/${clinic.id}/members`, { as: clinic.admin, body })
    assert.equal(answer.status, 201, answer.text)
    return clinic.id
  }
  const mailFrom = (clinics: string[]) =>
    core.database.query<Json>('select to_address, data from mail_outbox where organization_id = any($1)', [clinics])

  test('queued mail to the person is deleted at every clinic; sent mail loses its address and content', async () => {
    const { me } = await patientOfTwo()
    const sent = await invite(me.email)
    const waiting = await invite(me.email.toUpperCase())
    await core.database.query('update mail_outbox set sent_at = now() where organization_id = $1', [sent])
    assert.equal((await mailFrom([sent, waiting])).length, 2)
    assert.equal((await erase(me)).status, 200)
    assert.deepEqual(await mailFrom([sent]), [{ to_address: 'erased', data: {} }])
    assert.deepEqual(await mailFrom([waiting]), [])
  })

  test('so is an invitation to an e-mail address that the person has changed since', async () => {
    const sub = randomUUID()
    const me = await core.signIn({ sub })
    await core.patient(await core.organization(), me)
    const clinic = await invite(me.email)
    const now = await core.signIn({ sub, email: `new-${me.email}` })
    assert.equal(now.id, me.id)
    assert.equal((await erase(now)).status, 200)
    assert.deepEqual(await mailFrom([clinic]), [])
  })

  test('mail to an unverified e-mail address is not deleted', async () => {
    const email = `owner-${randomUUID()}@mail.example`
    const clinic = await invite(email)
    const stranger = await core.signIn({ email, email_verified: false })
    assert.equal((await erase(stranger)).status, 200)
    const [mail] = await mailFrom([clinic])
    assert.equal(mail.to_address, email)
  })

  test('only the exact word erases (422)', async () => {
    const { me } = await patientOfTwo()
    for (const body of [
      {},
      { confirm: 'erase' },
      { confirm: true },
      { confirm: 'ERASE ' },
      { confirm: 'ERASE', x: 1 },
      null,
    ]) {
      assert.equal((await erase(me, body)).status, 422, JSON.stringify(body))
    }
    assert.equal((await mine(me)).length, 2)
  })

  test('staff leave their clinics first (409), superadmins and service accounts are refused (403)', async () => {
    const { me, first } = await patientOfTwo()
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $3, now())',
      [first.clinic.id, me.id, first.clinic.roles.specialist],
    )
    const refused = await erase(me)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'still_a_member'])
    assert.equal((await mine(me)).length, 2)
    assert.equal((await erase(await core.superadmin())).status, 403)
    assert.equal(await countOf('select 1 from humans where id = $1 and email is not null', [me.id]), 1)
  })

  test('the request accepts no invitation: it stays as it was, or is deleted with the account', async () => {
    const clinic = await core.organization()
    const members = `/v1/organizations/${clinic.id}/members`
    const me = await core.signIn({ name: 'Ioana Marin' })
    const body = { email: me.email, role_id: clinic.roles.specialist }
    assert.equal((await core.post(members, { as: clinic.admin, body })).status, 201)
    const listed = async () => (await core.get(`${members}?q=${me.email}`, { as: clinic.admin })).body.data
    assert.equal((await erase(me, { confirm: 'erase' })).status, 422)
    assert.deepEqual((await listed()).map(({ status, name, email_verified }: Json) => [status, name, email_verified]), [['invited', null, false]]) // biome-ignore format: one line
    const answer = await erase(me)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await listed(), [])
    assert.equal(await countOf('select 1 from humans where id = $1 and email is null and name is null', [me.id]), 1)
  })

  test('an account without any record can be erased too, with its personal text in the audit log', async () => {
    const me = await core.signIn()
    assert.equal((await erase(me)).status, 200)
    assert.equal(await countOf('select 1 from humans where id = $1 and email is null and name is null', [me.id]), 1)
    const rows = await core.database.query<Json>(
      `select k.destroyed_at from audit_log a join audit_keys k on k.id = a.key_id where a.action = 'me.erase' and a.target_id = $1`,
      [me.id],
    )
    assert.ok(rows.length === 1 && rows[0].destroyed_at !== null)
  })

  test('a change of name or a switch during the erasure is refused (401), and writes nothing', async () => {
    const { me, first } = await patientOfTwo()
    await onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      await holder.query('begin')
      const held = await holder.query('select pg_backend_pid() as pid from humans where id = $1 for update', [me.id])
      /** How many wait for the holder, or for one who does. */
      const waiting = () =>
        countOf(
          `with recursive waiting as (select $1::int as pid
             union select a.pid from pg_stat_activity a, waiting w where w.pid = any (pg_blocking_pids(a.pid)))
           select pid from waiting where pid <> $1`,
          [held.rows[0].pid],
        )
      const erasing = erase(me)
      await until(async () => (await waiting()) === 1)
      const writing = [
        core.patch('/v1/me', { as: me, body: { name: 'Ioana M.', preferred_language: 'ro' } }),
        core.put('/v1/me/switch-organization', { as: me, body: { organization_id: first.clinic.id } }),
      ]
      await until(async () => (await waiting()) === 3)
      await holder.query('rollback')
      assert.equal((await erasing).status, 200)
      for (const answer of await Promise.all(writing)) assert.equal(answer.status, 401, answer.text)
    })
    const rows = await core.database.query(
      'select name, preferred_language, current_organization_id from humans where id = $1',
      [me.id],
    )
    assert.deepEqual(rows, [{ name: null, preferred_language: null, current_organization_id: null }])
  })

  test('a name changed while the account is erased is not readable anywhere afterwards', async () => {
    for (let round = 0; round < 10; round += 1) {
      const me = await core.signIn({ name: 'Ioana Marin' })
      const rename = (name: string) => core.patch('/v1/me', { as: me, body: { name } })
      const [erased, ...renamed] = await Promise.all([erase(me), rename('Ioana A.'), rename('Ioana B.')])
      assert.equal(erased.status, 200, erased.text)
      for (const { status, text } of renamed) assert.ok([200, 401].includes(status), text)
      assert.equal(await countOf('select 1 from humans where id = $1 and name is null', [me.id]), 1)
      const readable = await countOf(
        `select 1 from audit_log a join audit_keys k on k.id = a.key_id
         where a.actor_principal_id = $1 and k.destroyed_at is null`,
        [me.id],
      )
      assert.equal(readable, 0)
    }
  })

  test('erasing twice at once, with sign-ins in between, erases once and creates one new account', async () => {
    const sub = randomUUID()
    const me = await core.signIn({ sub })
    const clinic = await core.organization()
    await core.patient(clinic, me)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, place) => (place % 3 ? core.get('/v1/me', { as: me }) : erase(me))),
    )
    assert.ok(
      answers.every(({ status }) => [200, 401].includes(status)),
      answers.map(({ text }) => text).join('\n'),
    )
    assert.equal(await countOf('select 1 from humans where id = $1 and email is null', [me.id]), 1)
    const again = (await core.get('/v1/me', { as: me })).body.data
    assert.notEqual(again.principal_id, me.id)
    assert.equal(again.email, me.email)
    assert.equal(await countOf('select 1 from identities where subject = $1', [sub]), 1)
  })
})
