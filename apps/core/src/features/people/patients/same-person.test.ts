import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Context } from '@tendon/db'
import { sql } from 'kysely'
import { startCore, type TestCore } from '../../../testing/core.ts'

const LARGE = 20_000
/** An index that is one level deeper. */
const MORE_PAGES = 12

describe('the same person', () => {
  let core: TestCore
  before(async () => {
    core = await startCore()
  })
  after(() => core.close())

  /** A clinic with patients, of whom one in ten has no e-mail address. */
  async function clinicOf(patients: number): Promise<string> {
    const { id } = await core.organization()
    await core.database.query(`alter table patients disable trigger user`)
    await core.database.query(
      `with added as (
         insert into patient_profiles (organization_id, national_id_index)
         select $1, sha256(int4send(n) || uuid_send($1)) from generate_series(1, $2::integer) n returning id, organization_id)
       insert into patients (organization_id, patient_profile_id, first_name, last_name, email)
       select organization_id, id, 'Ana', 'Pop', case when random() < 0.9 then 'ana-' || id || '@mail.example' end from added`,
      [id, patients],
    )
    await core.database.query(`alter table patients enable trigger user`)
    return id
  }
  const contextOf = (organizationId: string, permissions = ',patients.view_org,'): Context => {
    return { principalId: randomUUID(), organizationId, permissions }
  }

  async function find(context: Context, email: string | null, index: Buffer | null) {
    const { rows } = await core.services.db.tenant(context, (tx) =>
      sql<{ id: string; field: string }>`select * from find_same_patient(${email}, ${index})`.execute(tx),
    )
    return rows
  }

  /** Pages that the look-up touches as the application, once its plans are made. */
  async function pagesAt(organizationId: string): Promise<number> {
    const [some] = await core.database.query<{ email: string }>(
      'select email from patients where organization_id = $1 and email is not null order by random() limit 1',
      [organizationId],
    )
    const look = sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
      explain (analyze, buffers, format json)
      select * from find_same_patient(${sql.lit(some?.email)}, decode(${sql.lit(randomBytes(32).toString('hex'))}, 'hex'))`
    return core.services.db.tenant(contextOf(organizationId), async (tx) => {
      for (let time = 0; time < 7; time += 1) await look.execute(tx)
      const { rows } = await look.execute(tx)
      const plan = rows[0]?.['QUERY PLAN'][0].Plan
      assert.equal(plan?.['Actual Rows'], 1)
      return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
    })
  }

  test('the same person is found at the same cost among 100 and among 20,000 patients', async () => {
    const [small, large] = [await clinicOf(100), await clinicOf(LARGE)]
    await core.database.query('vacuum analyze patients, patient_profiles')
    const [few, many] = [await pagesAt(small), await pagesAt(large)]
    assert.ok(many <= few + MORE_PAGES, `${few} pages among 100 patients, ${many} among ${LARGE}`)
  })

  test('the same person is found by number before e-mail address, only in the own clinic, and not when deleted or erased', async () => {
    const [one, other] = [await clinicOf(2), await clinicOf(1)]
    const rows = await core.database.query<{ id: string; email: string; national_id_index: Buffer }>(
      `update patients p set email = 'Same.' || p.organization_id || '@mail.example' from patient_profiles f
       where f.id = p.patient_profile_id and p.organization_id = $1 returning p.id, p.email, f.national_id_index`,
      [one],
    )
    const [first, second] = rows
    assert.ok(first && second)
    const byNumber = { id: second.id, field: 'national_id' }
    const found = await find(contextOf(one), first.email.toUpperCase(), second.national_id_index)
    assert.deepEqual(found, [byNumber])
    assert.equal((await find(contextOf(one), first.email, randomBytes(32)))[0]?.field, 'email')
    assert.deepEqual(await find(contextOf(one), null, null), [])
    assert.deepEqual(await find(contextOf(other), first.email, second.national_id_index), [])
    assert.deepEqual(await find(contextOf(one, ',patients.onboard,'), first.email, second.national_id_index), [])
    await core.database.query('alter table patients disable trigger user')
    await core.database.query('update patients set erased_at = now() where id = $1', [second.id])
    assert.deepEqual(await find(contextOf(one), first.email, second.national_id_index), [
      { id: first.id, field: 'email' },
    ])
    await core.database.query('update patients set deleted_at = now() where id = $1', [first.id])
    await core.database.query('alter table patients enable trigger user')
    assert.deepEqual(await find(contextOf(one), first.email, second.national_id_index), [])
  })
})
