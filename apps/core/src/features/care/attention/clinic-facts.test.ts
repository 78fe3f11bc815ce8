import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { days, factsOf } from './attention.testing.ts'

const NEWER_TEMPLATE = `insert into privacy_notice_templates (version, body_with_placeholders, placeholders, toggleable_sections)
  select max(version) + 1, '{"en": "Notice", "ro": "Notă"}', '[]', '[]' from privacy_notice_templates returning version`

describe('what needs attention at a clinic', () => {
  let core: TestCore
  let facts: ReturnType<typeof factsOf>
  before(async () => {
    core = await startCore()
    facts = factsOf(core)
  })
  after(() => core.close())

  const run = (text: string, ...values: unknown[]) => core.database.query(text, values)
  const seenBy = async (of: TestOrganization, ...codes: string[]) =>
    facts.list(await core.memberWith(of, codes), '?scope=mine')

  test('an integration that is broken is listed from the moment it broke; when it breaks again, that is a new fact', async () => {
    const clinic = await core.organization()
    const id = await facts.id(
      `insert into organization_integrations (organization_id, service_slug, status, title)
       select $1, slug, 'error', 'Mails' from integration_services order by slug limit 1`,
      [clinic.id],
    )
    const breaks = () =>
      run(
        `insert into integration_events (organization_id, integration_id, from_status, to_status, reason)
         values ($1, $2, 'connected', 'error', 'refused_repeatedly')`,
        clinic.id,
        id,
      )
    await breaks()
    const code = 'organizations.manage_integrations'
    const [broken] = await seenBy(clinic, code)
    assert.deepEqual(
      [broken?.kind, broken?.patient, broken?.params.integration_id, broken?.params.title, broken?.params.status],
      ['integration_broken', null, id, 'Mails', 'error'],
    )
    assert.equal((await facts.mark(clinic.admin, broken?.key, { state: 'done' })).status, 200)
    await breaks()
    assert.deepEqual(
      (await seenBy(clinic, code)).map(({ mark }) => mark),
      [null],
    )
    await run(`update organization_integrations set status = 'connected' where id = $1`, id)
    assert.deepEqual(await seenBy(clinic, code), [])
  })

  test('a webhook is listed when it fails several times in a row, or was switched off because of that', async () => {
    const clinic = await core.organization()
    const add = (failures: number, reason: string | null) =>
      facts.id(
        `insert into webhook_subscriptions (organization_id, url, events, secret_encrypted, secret_hint, is_active,
           disabled_reason, consecutive_failures, first_failure_at, last_failure_at)
         values ($1, 'https://hooks.clinic.example/tendon', '{patient.created}', '\\x00', 'abcd', $2, $3, $4::integer,
           case when $4 > 0 then now() - interval '1 day' end, case when $4 > 0 then now() end)`,
        [clinic.id, reason === null, reason, failures],
      )
    await add(0, null)
    await add(2, null)
    await add(0, 'manual')
    const [failing, gone] = [await add(3, null), await add(1, 'gone')]
    const listed = await seenBy(clinic, 'webhooks.view_org')
    assert.deepEqual(
      listed.map(({ kind, params }) => [kind, params.webhook_subscription_id, params.count, params.host]),
      [
        ['webhook_failing', failing, 3, 'hooks.clinic.example'],
        ['webhook_failing', gone, 1, 'hooks.clinic.example'],
      ],
    )
  })

  test('mails that failed are one fact; another failed mail makes it a new one', async () => {
    const clinic = await core.organization()
    const fail = (hoursAgo: number) =>
      run(
        `insert into mail_outbox (organization_id, to_address, template, language, data, status, next_attempt_at)
         values ($1, 'a@mail.example', 'invitation', 'en', '{}', 'failed', now() - make_interval(hours => $2))`,
        clinic.id,
        hoursAgo,
      )
    await fail(24 * 8)
    assert.deepEqual(await seenBy(clinic, 'mails.view_org'), [])
    await fail(5)
    await fail(4)
    const [failed, ...others] = await seenBy(clinic, 'mails.view_org')
    assert.deepEqual([failed?.kind, failed?.params.count, others], ['mails_failed', 2, []])
    assert.equal((await facts.mark(clinic.admin, failed?.key, { state: 'snoozed', until: days(20) })).status, 200)
    assert.deepEqual(await seenBy(clinic, 'mails.view_org'), [])
    await fail(1)
    const [again] = await seenBy(clinic, 'mails.view_org')
    assert.deepEqual([again?.params.count, again?.mark], [3, null])
  })

  test('a published notice is outdated when its template has a newer version', async () => {
    const clinic = await core.organization()
    const code = 'organizations.manage_privacy_notice'
    await run(
      `insert into privacy_notices (organization_id, draft_template_version, source_template_version, placeholder_values,
         included_sections, assembled_body, published_version, published_at)
       select $1, max(version), max(version), '{}', '[]', '{}', 1, now() from privacy_notice_templates`,
      clinic.id,
    )
    assert.deepEqual(await seenBy(clinic, code), [])
    const [newer] = await core.database.query<{ version: number }>(NEWER_TEMPLATE)
    const listed = await seenBy(clinic, code)
    assert.deepEqual(
      listed.map(({ key, params }) => [key, params.version]),
      [[`notice_outdated.${newer?.version}`, newer?.version]],
    )
  })

  test('a domain is failing when its record is missing, or it could not be verified', async () => {
    const clinic = await core.organization()
    const add = (domain: string, status: string, missing: string | null = null) =>
      run(
        `insert into organization_domains (organization_id, domain, status, challenge, verified_at, last_checked_at,
           record_missing_since) values ($1, $2, $3, 'x', case when $3 = 'verified' then now() end, now(), $4)`,
        clinic.id,
        `${domain}.${clinic.slug}.example`,
        status,
        missing,
      )
    await add('pending', 'pending')
    await add('fine', 'verified')
    await add('missing', 'verified', days(-1))
    await add('failed', 'failed')
    const listed = await seenBy(clinic, 'organizations.manage_domains')
    assert.deepEqual(
      listed.map(({ kind, params }) => [kind, params.domain.split('.')[0], params.status]),
      [
        ['domain_failing', 'missing', 'verified'],
        ['domain_failing', 'failed', 'failed'],
      ],
    )
  })

  test('a privacy request is due 20 days after it was made, until it is fulfilled; its patient is named to those who see patients', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const add = (kind: string, status: string, age: number) =>
      facts.id(
        `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id, status, created_at)
         values ($1, $2, $3, $4, $5, now() - make_interval(days => $6))`,
        [clinic.id, kind, patient.id, patient.profile_id, status, age],
      )
    await add('erase', 'accepted', 19)
    await add('export', 'completed', 25)
    await add('erase', 'error', 30)
    const due = await add('export', 'error', 21)
    const list = async (...codes: string[]) => facts.list(await core.memberWith(clinic, codes))
    const found = await list('gdpr.export_data', 'patients.view_org')
    assert.deepEqual(
      found.map(({ key, patient: about, params }) => [key, about?.name, params.request]),
      [[`request_due.${due}`, 'Maria Stan', 'export']],
    )
    assert.equal(Date.parse(found[0]?.params.due_at) - Date.parse(found[0]?.at), 30 * 86_400_000)
    assert.deepEqual(
      (await list('gdpr.erase_data')).map(({ patient: about }) => about),
      [null],
    )
    assert.deepEqual(await list('patients.view_org'), [])
  })

  test('every member sees that a limit of the plan is reached', async () => {
    const clinic = await core.organization()
    await run(`select change_usage($1, 'max_specialists', 1)`, clinic.id)
    assert.deepEqual(await seenBy(clinic), [])
    await run(`select change_usage($1, 'max_specialists', 1)`, clinic.id)
    const [reached] = await seenBy(clinic)
    assert.deepEqual(
      [reached?.kind, reached?.at, reached?.params],
      ['limit_reached', null, { limit: 'max_specialists', max: 2, current: 2 }],
    )
    assert.equal((await facts.mark(clinic.admin, reached?.key, { state: 'done' })).status, 200)
  })

  test('sessions of which measurements are missing are listed for seven days', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const add = async (isComplete: boolean, at: string) => {
      const id = await facts.run(clinic, patient, at)
      await run(
        'insert into run_manifests (run_id, organization_id, patient_profile_id, items) values ($1, $2, $3, $4)',
        id,
        clinic.id,
        patient.profile_id,
        '[]',
      )
      await run(
        `insert into media_session_metrics (organization_id, run_id, patient_profile_id, version, is_complete, event_count,
           rebuffer_count, rebuffer_ms, watch_seconds, unique_seconds, quality_switches, dropped_frames, total_frames,
           hidden_ms, created_at) values ($1, $2, $3, 1, $4, 0, 0, 0, 0, 0, 0, 0, 0, 0, $5)`,
        clinic.id,
        id,
        patient.profile_id,
        isComplete,
        at,
      )
      return id
    }
    await add(true, days(-1))
    await add(false, days(-8))
    const incomplete = await add(false, days(-1))
    const listed = await facts.list(await core.memberWith(clinic, ['session_runs.view_org', 'patients.view_org']))
    assert.deepEqual(
      listed.map(({ kind, params }) => [kind, params.session_run_id]),
      [['incomplete', incomplete]],
    )
  })
})
