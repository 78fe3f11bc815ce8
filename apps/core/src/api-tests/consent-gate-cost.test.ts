import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { patient } from '@tendon/http'
import type { Routes } from '../feature.ts'
import { startCore, type TestCore } from '../testing/core.ts'

const config = { access: patient(), summary: 'Probe' }
const probe: Routes = (app) => {
  app.get('/v1/probe/bound', { config }, async () => ({}))
  app.get('/v1/probe/open', { config: { ...config, gate: 'open' } }, async () => ({}))
}

describe('the cost of the consent gate', () => {
  let core: TestCore
  before(async () => {
    core = await startCore({ routes: [probe], env: { CALLER_CACHE_MS: '0' } })
  })
  after(() => core.close())

  /** The statements of one request outside its handler. */
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const { db } = core.services
    const texts: string[] = []
    for (const way of ['call', 'lookUp'] as const) {
      const asked: typeof db.call = (text, values) => {
        texts.push(text)
        return Object.getPrototypeOf(db)[way].call(db, text, values)
      }
      Object.assign(db, { [way]: asked })
    }
    await work()
    for (const way of ['call', 'lookUp']) Reflect.deleteProperty(db, way)
    return texts
  }

  test('the cost of the consent gate is one statement more, whether it is open or closed', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    const get = (path: string) => () => core.get(path, { as: person })
    await get('/v1/probe/open')()
    const without = await statementsOf(get('/v1/probe/open'))
    const closed = await statementsOf(get('/v1/probe/bound'))
    await core.acceptAll(record)
    const open = await statementsOf(get('/v1/probe/bound'))
    assert.equal((await core.get('/v1/probe/bound', { as: person })).status, 200)
    assert.equal(without.length, 1, 'who it is')
    assert.deepEqual(closed, [...without, 'select * from missing_texts($1, $2)'])
    assert.deepEqual(open, closed)
    await core.get('/v1/organizations', { as: clinic.admin })
    const staff = await statementsOf(() => core.get('/v1/organizations', { as: clinic.admin }))
    assert.equal(staff.length, 1, 'nothing for those whom it does not bind')
  })

  test('the cost of the consent gate is found by indexes, however many patients, clinics, texts and consents there are', async () => {
    await core.database.query(`begin;
      set local session_replication_role = replica;
      insert into organizations (name, slug) select 'C', 'crowd-' || n from generate_series(1, 400) n;
      insert into consent_purpose_versions (purpose_code, organization_id, version, body_translations)
        select 'org_privacy_notice', id, v, '{"en": "Notice"}' from organizations, generate_series(1, 3) v where slug like 'crowd-%';
      insert into humans (id, email) select gen_random_uuid(), null from generate_series(1, 1000);
      insert into patient_profiles (organization_id, human_id, claimed_at)
        select o.id, h.id, now()
        from (select id, row_number() over () n from humans) h
        join (select id, row_number() over () n from organizations where slug like 'crowd-%') o on o.n = 1 + h.n % 400;
      insert into patients (organization_id, patient_profile_id, first_name, last_name)
        select organization_id, id, 'A', 'B' from patient_profiles on conflict do nothing;
      insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
        select case when p.scope = 'org' then f.organization_id end, f.id, p.code, 1, 'signup_checkbox'
        from patient_profiles f, consent_purposes p on conflict do nothing;
      commit;`)
    await core.database.query(
      'analyze organizations, humans, patient_profiles, patients, consents, consent_purposes, consent_purpose_versions',
    )
    const [human] = await core.database.query<{ id: string }>(
      'select human_id as id from patient_profiles where human_id is not null limit 1',
    )
    const [source] = await core.database.query<{ prosrc: string }>(
      `select prosrc from pg_proc where proname = 'missing_texts'`,
    )
    const asked = /return query (.*);\s*end/s.exec(source?.prosrc ?? '')?.[1]
    const statement = asked?.replaceAll('p_human_id', `'${human?.id}'::uuid`).replaceAll('p_language', `'en'`)
    const plan = (await core.database.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${statement}`))
      .map((line) => line['QUERY PLAN'])
      .join('\n')
    assert.doesNotMatch(plan, /Seq Scan on (consents|patient_profiles|patients|consent_purpose_versions)/, plan)
    const hits = /Buffers: shared hit=(\d+)/.exec(plan)?.[1]
    assert.ok(Number(hits) < 80, plan)
  })
})
