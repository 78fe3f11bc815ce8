import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startCore, type TestCore } from '../testing/core.ts'

/** What happens at COMMIT of a transaction that has written an audit entry. */
const FATES = {
  refused: `raise exception 'The disk is full.'`,
  'cut off': 'perform pg_terminate_backend(pg_backend_pid(), 5000)',
}

describe('reads of patients', () => {
  let core: TestCore
  let clinic: Awaited<ReturnType<TestCore['organization']>>
  before(async () => {
    core = await startCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  const read = (id: string) => core.get(`/v1/patients/${id}`, { as: clinic.admin })
  const entriesOf = (id: string) =>
    core.database.query<{ living: boolean }>(
      `select k.destroyed_at is null as living from audit_log a join audit_keys k on k.id = a.key_id
       where a.target_id = $1 and a.action = 'patients.read' order by a.occurred_at`,
      [id],
    )
  const keysOf = ({ profile_id }: { profile_id: string }) =>
    core.database.query<{ living: boolean }>(
      'select destroyed_at is null as living from audit_keys where patient_profile_id = $1',
      [profile_id],
    )
  const destroyKeys = ({ profile_id }: { profile_id: string }) =>
    core.database.query(
      'update audit_keys set wrapped_key = null, destroyed_at = now() where patient_profile_id = $1 and destroyed_at is null',
      [profile_id],
    )

  async function atCommit(fate: string, work: () => Promise<unknown>): Promise<void> {
    await core.database.query(
      `create or replace function end_badly() returns trigger language plpgsql as $$ begin ${fate}; return null; end $$`,
    )
    await core.database.query(
      `create constraint trigger audit_log_end_badly after insert on audit_log deferrable initially deferred
       for each row execute function end_badly()`,
    )
    try {
      await work()
    } finally {
      await core.database.query('drop trigger audit_log_end_badly on audit_log')
    }
  }

  for (const [name, fate] of Object.entries(FATES)) {
    test(`a read of a patient fails when COMMIT is ${name}, and does not break the next read`, async () => {
      const [known, unknown] = [await core.patient(clinic), await core.patient(clinic)]
      await read(known.id)
      await atCommit(fate, async () => {
        for (const { id } of [known, unknown]) {
          const { status, text } = await read(id)
          assert.equal(status >= 500, true, text)
          assert.equal(text.includes(id), false)
        }
      })
      assert.deepEqual([(await entriesOf(known.id)).length, (await entriesOf(unknown.id)).length], [1, 0])
      // The key of the second patient was never committed.
      for (const { id } of [known, unknown]) assert.equal((await read(id)).status, 200)
      assert.deepEqual([(await entriesOf(known.id)).length, (await entriesOf(unknown.id)).length], [2, 1])
    })
  }

  test('a read is audited under a new key when the old key was destroyed since its last use', async () => {
    const patient = await core.patient(clinic)
    await read(patient.id)
    await destroyKeys(patient)
    assert.equal((await read(patient.id)).status, 200)
    assert.deepEqual(await entriesOf(patient.id), [{ living: false }, { living: true }])
  })

  test('concurrent reads write one entry each, under one new key, after the key was destroyed', async () => {
    const patient = await core.patient(clinic)
    await read(patient.id)
    await destroyKeys(patient)
    const answers = await Promise.all(Array.from({ length: 12 }, () => read(patient.id)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await entriesOf(patient.id)).filter(({ living }) => living).length, 12)
    assert.equal((await keysOf(patient)).length, 2)
  })

  test('concurrent reads of a patient without a key write one entry each, under one key', async () => {
    const patient = await core.patient(clinic)
    const answers = await Promise.all(Array.from({ length: 12 }, () => read(patient.id)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await entriesOf(patient.id)).length, 12)
    assert.deepEqual(await keysOf(patient), [{ living: true }])
  })
})
