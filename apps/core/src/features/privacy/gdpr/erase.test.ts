import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import type { DB } from '@tendon/db'
import { until } from '@tendon/testing'
import { dataClasses } from '../../../data-classes.ts'
import type { DataClass } from '../../../platform/data-class.ts'
import { addJob } from '../../../platform/jobs.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { verifyAuditLog } from '../audit-logs/verify.ts'
import { isGenuine } from './rules.ts'
import { type CoreAndWorker, startCoreAndWorker } from './work.testing.ts'

const scans: DataClass = {
  name: 'scans',
  table: 'scans' as keyof DB,
  label: { en: 'Scans', ro: 'Scanări' },
  patientColumn: 'patient_profile_id',
  export: { rows: ['title'] },
  erase: { strategy: 'delete' },
  files: 'object_key',
}
const SCANS = `create table scans (id uuid primary key default uuidv7(), organization_id uuid, patient_profile_id uuid, title text,
  object_key text); grant select, delete on scans to tendon_worker`

/** What nobody else in the database says; long enough that no random id or key contains it. */
const CANARY = {
  first_name: 'Zefirina',
  last_name: 'Văzduhescu',
  email: 'zefirina.vazduhescu@canary.example',
  second_email: 'zefirina.noua@canary.example',
  phone: '+40 799 424 242 424',
  birth_date: '1931-07-17',
  city: 'Canarville',
  notes: 'Sings like a canary',
  national_id: 'KX 909090',
  reason: 'Zefirina wants to be forgotten',
  file: 'A scan of the canary',
}
const TRACES = [...Object.values(CANARY), 'zefirina', 'vazduhescu', '799424242424', 'KX909090']

describe('erasures', () => {
  let core: CoreAndWorker
  let clinic: TestOrganization
  let stop: () => Promise<void>
  let broken: Error | undefined
  before(async () => {
    core = await startCoreAndWorker([...dataClasses, scans])
    await core.database.query(SCANS)
    clinic = await core.organization()
    await core.publishNotice(clinic)
    const { objects } = core.services
    stop = await core.startWorker({
      objects: {
        ...objects,
        list: (prefix) => {
          if (broken) throw broken
          return objects.list(prefix)
        },
      },
    })
  })
  after(async () => {
    await stop()
    await core.close()
  })

  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    core.database.query<Row>(text, values)

  /** Every row of every table, ours and those of the job queue, as text. */
  async function dump(): Promise<string> {
    const tables = await query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    )
    const all = tables.map(({ name }) => `select '${name} ' || t::text as row from ${name} t`).join(' union all ')
    return (await query<{ row: string }>(all)).map(({ row }) => row).join('\n')
  }
  /** Every file of the data folder. */
  async function files(): Promise<string> {
    const folder = core.config.DATA_DIR
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const found = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return (await Promise.all(found.map((path) => readFile(path, 'latin1')))).join('\n')
  }
  const tracesIn = (text: string) => TRACES.filter((trace) => text.toLowerCase().includes(trace.toLowerCase()))

  async function onboardCanary(headers = {}) {
    const { first_name, last_name, email, phone, birth_date, notes, national_id, city } = CANARY
    const address = { line1: 'Strada 1', city, country: 'RO' }
    const consents = [{ purpose_code: 'analytics', purpose_version: 1 }]
    const body = {
      first_name,
      last_name,
      email,
      phone,
      birth_date,
      notes,
      national_id,
      address,
      consents,
      invite: true,
    }
    const answer = await core.post('/v1/patients', { as: clinic.admin, body, headers })
    assert.equal(answer.status, 201, answer.text)
    return { body, patient: answer.body.data as { id: string; patient_profile_id: string } }
  }

  test('an erased patient is not found by name, e-mail, number, file or audit text, and the audit log still verifies', async () => {
    const { admin } = clinic
    const headers = { 'idempotency-key': randomUUID() }
    const { body, patient } = await onboardCanary(headers)
    const path = `/v1/patients/${patient.id}`
    await core.get(path, { as: admin })
    const profile = await core.put(`${path}/profile`, { as: admin, body: { allergies: CANARY.notes } })
    assert.equal(profile.status, 200, profile.text)
    await core.get(`${path}/profile`, { as: admin })
    await core.get(`/v1/patients?q=${encodeURIComponent(CANARY.last_name)}`, { as: admin })
    const { national_id: _n, consents: _c, invite: _i, ...details } = body
    const changed = await core.put(path, { as: admin, body: { ...details, email: CANARY.second_email } })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await core.post(`${path}/invite`, { as: admin })).status, 200)
    const consents = `/v1/organizations/${clinic.id}${path.slice(3)}/consents`
    const [consent] = await query<{ id: string }>('select id from consents where patient_profile_id = $1', [
      patient.patient_profile_id,
    ])
    const withdrawal = { as: admin, body: { withdrawal_reason: CANARY.reason } }
    const withdrawn = await core.post(`${consents}/${consent?.id}/withdraw`, withdrawal)
    assert.equal(withdrawn.status, 200, withdrawn.text)
    const reason = `To help ${CANARY.first_name} with the portal`
    const looking = await core.post(`${path}/impersonate`, { as: admin, body: { reason } })
    assert.equal(looking.status, 201, looking.text)
    await core.get('/v1/me', { as: { token: looking.body.data.token } })
    await query(
      `insert into break_glass_grants (principal_id, organization_id, patient_id, reason, expires_at)
       values ($1, $2, $3, $4, now() + interval '5 minutes')`,
      [(await core.superadmin()).id, clinic.id, patient.id, `The portal is broken for ${CANARY.first_name}`],
    )
    await query(`update mail_outbox set sent_at = now() where data ->> 'patient_id' = $1 and to_address = $2`, [
      patient.id,
      CANARY.email,
    ])
    const key = `scans/${randomUUID()}.txt`
    await core.services.objects.put(key, Buffer.from(CANARY.file), { contentType: 'text/plain', maxBytes: 100 })
    await query(`insert into scans (organization_id, patient_profile_id, title, object_key) values ($1, $2, $3, $4)`, [
      clinic.id,
      patient.patient_profile_id,
      CANARY.file,
      key,
    ])
    const exported = await core.ended(clinic, await core.ask('export', clinic, patient.id, CANARY.reason))
    assert.ok(tracesIn(await dump()).length > 8, 'the canary sings before')
    assert.ok((await files()).includes(CANARY.file))

    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id, CANARY.reason))
    assert.equal(request.status, 'completed', JSON.stringify(request))

    assert.deepEqual(tracesIn(await dump()), [], 'in the database')
    assert.deepEqual(tracesIn(await files()), [], 'in the files')
    assert.deepEqual(tracesIn(core.log.join('') + core.workerLog.join('')), [], 'in the logs')
    assert.deepEqual(
      (await core.keys()).filter((one) => one.includes(patient.id)),
      [],
    )
    const shown: string[] = []
    for (const address of [
      '/v1/audit-logs?limit=500',
      '/v1/audit-logs/export',
      `/v1/patients?deleted=true&limit=500`,
      '/v1/gdpr/requests?limit=500',
      `/v1/gdpr/requests/${request.id}`,
      `/v1/gdpr/requests/${exported.id}`,
      `/v1/organizations/${clinic.id}/break-glass`,
    ]) {
      const answer = await core.get(address, { as: admin })
      assert.equal(answer.status, 200, address)
      shown.push(answer.text)
    }
    assert.deepEqual(tracesIn(shown.join('\n')), [], 'in what the API tells')
    for (const word of [CANARY.last_name, CANARY.email, '799424242424']) {
      const found = await core.get(`/v1/patients?deleted=true&q=${encodeURIComponent(word)}`, { as: admin })
      assert.equal(found.body.pagination.total, 0, word)
    }
    const link = new URL(exported.download_url)
    assert.equal((await core.get(link.pathname + link.search)).status, 404, 'a link given before')
    assert.equal((await core.get('/v1/me', { as: { token: looking.body.data.token } })).status, 401)
    const again = await core.post('/v1/patients', { as: admin, body, headers })
    assert.equal(again.headers.get('idempotency-replayed'), null, 'the stored answer is gone, and the number is free')
    assert.equal(again.status, 201, again.text)

    const { body: log } = await core.get(`/v1/audit-logs?patient_profile_id=${patient.patient_profile_id}&limit=500`, {
      as: admin,
    })
    assert.ok(log.pagination.total >= 8)
    assert.ok(
      log.data.every(
        (entry: { erased: boolean; target: { label: unknown } }) => entry.erased && entry.target.label === null,
      ),
    )
    await core.seal()
    const verdict = await verifyAuditLog(core.services.db, () => {})
    assert.ok(verdict.ok, JSON.stringify(verdict))
    assert.ok(verdict.entries > 10)
    await core.ended(clinic, await core.ask('erase', clinic, again.body.data.id))
  })

  test('a request that read the name before the erasure cannot write it to the audit log afterwards', async () => {
    const { patient } = await onboardCanary()
    const auditLog = new AuditLog(core.services.box)
    const label = `${CANARY.first_name} ${CANARY.last_name}`
    const write = () =>
      core.services.db.tenant(systemContext(clinic.id), (tx) =>
        auditLog.write(
          tx,
          { ...SYSTEM, type: 'patient', name: label, sourceIp: '203.0.113.42', organizationId: clinic.id },
          {
            action: 'tests.late',
            crud: 'U',
            target: { type: 'patient', id: patient.id, label },
            reason: CANARY.reason,
            changes: [{ field: 'phone', before: CANARY.phone, after: null }],
            patientProfileId: patient.patient_profile_id,
          },
        ),
      )
    await write()
    await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    await write()
    await core.get(`/v1/patients/${patient.id}`, { as: clinic.admin })
    const { body, text } = await core.get(`/v1/audit-logs?target_id=${patient.id}&limit=500`, { as: clinic.admin })
    assert.deepEqual(tracesIn(text), [])
    const [late, before] = body.data.filter((entry: { action: string }) => entry.action === 'tests.late')
    assert.deepEqual([before.erased, late.erased], [true, false])
    assert.deepEqual(late.changes, [{ field: 'phone', before: null, after: null }])
    assert.deepEqual([late.target.label, late.actor.name, late.source_ip, late.reason], [null, null, null, null])
  })

  test('records that change during the erasure are erased', async () => {
    const { patient } = await onboardCanary()
    const body = { first_name: CANARY.first_name, last_name: CANARY.last_name }
    const over = new AbortController()
    const changing = async () => {
      const met = new Set<number>()
      while (!over.signal.aborted) {
        for (const { status } of [
          await core.put(`/v1/patients/${patient.id}`, { as: clinic.admin, body: { ...body, phone: randomUUID() } }),
          await core.get(`/v1/patients/${patient.id}`, { as: clinic.admin }),
          await core.post(`/v1/patients/${patient.id}/invite`, { as: clinic.admin }),
        ])
          met.add(status)
      }
      return [...met]
    }
    const changes = Promise.all([changing(), changing(), changing()])
    await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    over.abort()
    for (const status of (await changes).flat()) assert.ok([200, 404, 409].includes(status), String(status))
    assert.deepEqual(tracesIn(await dump()), [])
    const { text } = await core.get('/v1/audit-logs?limit=500', { as: clinic.admin })
    assert.deepEqual(tracesIn(text), [])
  })

  test('an erasure is complete when its files are gone; until then it shows the failure and no certificate', async () => {
    const patient = await core.patient(clinic)
    broken = new RangeError('the store is away')
    const id = await core.ask('erase', clinic, patient.id)
    const key = 'scans/of-the-store-that-was-away.txt'
    const failed = await until(async () => {
      const request = await core.read(clinic, id)
      return request.error === null ? undefined : request
    }).finally(() => {
      broken = undefined
    })
    assert.deepEqual([failed.status, failed.error, failed.certificate], ['active', 'RangeError', null])
    await core.services.objects.put(key, Buffer.from('x'), { contentType: 'text/plain', maxBytes: 10 })
    // The next attempt of the failed job knows nothing of this file.
    await query(`delete from graphile_worker._private_jobs where payload -> 'payload' ->> 'request_id' = $1`, [id])
    await core.services.db.tenant(systemContext(clinic.id), (tx) =>
      addJob(tx, 'gdpr.finish_erasure', { request_id: id, patient_id: patient.id, keys: [key] }),
    )
    const request = await core.ended(clinic, id)
    assert.deepEqual([request.status, request.error], ['completed', null])
    assert.ok(isGenuine(request.certificate))
    assert.equal(await core.services.objects.head(key), undefined)
  })

  test('the certificate lists what was done with each class and why rows are kept, and can be verified', async () => {
    const { patient } = await onboardCanary()
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    const { certificate } = request
    assert.ok(isGenuine(certificate))
    assert.ok(!isGenuine({ ...certificate, files_deleted: 7 }))
    assert.deepEqual([certificate.patient_id, certificate.request_id], [patient.id, request.id])
    const done = certificate.classes.map(
      (one: { name: string; strategy: string; rows: number; legal_reason: string | null }) =>
        `${one.name} ${one.strategy} ${one.rows} ${one.legal_reason === null ? '' : 'kept'}`.trim(),
    )
    assert.ok(done.includes('scans delete 0') && done.includes('form_files delete 0 kept'))
    const notEmpty = done.filter((line: string) => !line.includes(' delete 0'))
    assert.deepEqual(notEmpty, [
      'patient_profiles null 1',
      'patients pseudonymise 1',
      'session_runs keep 0 kept',
      'session_run_events keep 0 kept',
      'pain_reports null 0 kept',
      'session_feedback null 0 kept',
      'appointments null 0 kept',
      'appointment_reviews null 0 kept',
      'integration_messages keep 0 kept',
      'mail_outbox delete 1',
      'webhook_events null 0',
      'automation_executions null 0',
      'consents null 1 kept',
      'privacy_requests null 1 kept',
      'outbox_events keep 0 kept',
      'break_glass_grants pseudonymise 0 kept',
      'audit_log keep 0 kept',
      'audit_keys null 1',
    ])
    assert.deepEqual([request.reason, request.progress], [null, 100])

    const [row] = await query(
      `select p.first_name, p.last_name, p.email, p.notes, p.erased_at is not null as erased, p.deleted_at is not null as deleted,
         f.human_id, f.national_id_encrypted, f.national_id_index, f.invited_email
       from patients p join patient_profiles f on f.id = p.patient_profile_id where p.id = $1`,
      [patient.id],
    )
    assert.deepEqual(row, {
      first_name: 'Erased',
      last_name: patient.id.slice(-8).toUpperCase(),
      email: null,
      notes: null,
      erased: true,
      deleted: true,
      human_id: null,
      national_id_encrypted: null,
      national_id_index: null,
      invited_email: null,
    })
    const consents = await query('select ended_as, granted_via_ip from consents where patient_profile_id = $1', [
      patient.patient_profile_id,
    ])
    assert.deepEqual(consents, [{ ended_as: 'erased', granted_via_ip: null }])
    const { body } = await core.get(`/v1/audit-logs?action=gdpr.erase_completed&target_id=${patient.id}`, {
      as: clinic.admin,
    })
    const [entry] = body.data
    assert.deepEqual([entry.actor.type, entry.erased, entry.target.label], ['system', false, null])
    assert.deepEqual(entry.changes, [{ field: 'certificate', before: null, after: certificate.hash }])
    const [event] = await query<{ payload: unknown }>(
      `select payload from outbox_events where type = 'gdpr.erase_completed' and payload ->> 'request_id' = $1`,
      [request.id],
    )
    assert.deepEqual(event?.payload, { request_id: request.id, patient_id: patient.id })
  })

  test('another clinic’s record of the same human stays, with their consents for the platform', async () => {
    const person = await core.signIn()
    const other = await core.organization()
    await core.publishNotice(other)
    const here = await core.patient(clinic, person, { last_name: 'Hererecord' })
    await core.acceptAll(here)
    const there = await core.patient(other, person, { last_name: 'Therestays' })
    await query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       select $1, $2, p.code, (current_purpose_version(p.code, $1)).version, 'signup_checkbox'
       from consent_purposes p where p.legal_basis <> 'consent' and p.scope = 'org'`,
      [other.id, there.profile_id],
    )
    const atOther = { as: person, headers: { 'x-organization-id': other.id } }
    assert.equal((await core.get('/v1/organizations', atOther)).status, 200)
    await core.get(`/v1/patients/${there.id}`, { as: other.admin })

    await core.ended(clinic, await core.ask('erase', clinic, here.id))
    const kept = await core.get(`/v1/patients/${there.id}`, { as: other.admin })
    assert.equal(kept.body.data.last_name, 'Therestays')
    assert.equal((await core.get('/v1/organizations', atOther)).status, 200, 'the gate asks for nothing again')
    const { body } = await core.get(`/v1/audit-logs?patient_profile_id=${there.profile_id}`, { as: other.admin })
    assert.ok(body.data.length > 0 && body.data.every((entry: { erased: boolean }) => !entry.erased))
    const me = await core.get('/v1/me', { as: person })
    assert.deepEqual(
      me.body.data.patient_records.map((record: { organization_id: string }) => record.organization_id),
      [other.id],
    )
    assert.ok(!(await dump()).includes('Hererecord'))
  })

  test('a restricted patient, and one who left, can be erased', async () => {
    const patient = await core.patient(clinic)
    await query('update patients set restricted_at = now(), deleted_at = now() where id = $1', [patient.id])
    assert.equal((await core.ended(clinic, await core.ask('erase', clinic, patient.id))).status, 'completed')
  })

  test('an erasure ends the exports of the patient', async () => {
    const patient = await core.patient(clinic)
    const [row] = await query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id) values ($1, 'export', $2, $3) returning id`,
      [clinic.id, patient.id, patient.profile_id],
    )
    await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal((await core.read(clinic, row?.id ?? '')).status, 'cancelled')
  })

  test('an account’s record is erased by its job, once, with a certificate for the clinic', async () => {
    const person = await core.signIn()
    const patient = await core.patient(clinic, person, { last_name: 'Accountgone' })
    await core.acceptAll(patient)
    const erased = await core.post('/v1/me/erase', { as: person, body: { confirm: 'ERASE' } })
    assert.equal(erased.status, 200, erased.text)
    const find = async () =>
      (await core.get(`/v1/gdpr/requests?patient_id=${patient.id}`, { as: clinic.admin })).body.data
    const [request] = await until(async () => ((await find())[0]?.status === 'completed' ? find() : undefined))
    assert.deepEqual([request.kind, request.requested_by_principal_id], ['erase', null])
    assert.ok(isGenuine((await core.read(clinic, request.id)).certificate))
    assert.ok(!(await dump()).includes('Accountgone'))

    await core.services.db.tenant(systemContext(clinic.id), (tx) =>
      addJob(tx, 'gdpr.erase_account_record', { patient_id: patient.id }),
    )
    await until(
      async () =>
        (await query(`select 1 from graphile_worker.jobs where task_identifier = 'gdpr.erase_account_record'`))
          .length === 0,
    )
    assert.equal((await find()).length, 1)
  })

  test('a job that runs twice erases once; one of another clinic erases nothing', async () => {
    const patient = await core.patient(clinic)
    const other = await core.organization()
    const [row] = await query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id) values ($1, 'erase', $2, $3) returning id`,
      [clinic.id, patient.id, patient.profile_id],
    )
    const id = row?.id ?? ''
    const run = (at: string) =>
      core.services.db.tenant(systemContext(at), (tx) => addJob(tx, 'gdpr.erase', { request_id: id }))
    const waiting = `select 1 from graphile_worker._private_jobs where payload -> 'payload' ->> 'request_id' = $1`
    const idle = () => until(async () => (await query(waiting, [id])).length === 0)
    await run(other.id)
    await idle()
    assert.equal((await core.read(clinic, id)).status, 'accepted')
    await Promise.all(Array.from({ length: 4 }, () => run(clinic.id)))
    const { certificate } = await core.ended(clinic, id)
    await idle()
    assert.equal(certificate.classes.find((one: { name: string }) => one.name === 'patients').rows, 1)
    const { body } = await core.get(`/v1/audit-logs?action=gdpr.erase_completed&target_id=${patient.id}`, {
      as: clinic.admin,
    })
    assert.equal(body.pagination.total, 1)
  })

  test('without an erasure in progress nothing can be erased, and requests of people never can', async () => {
    const patient = await core.patient(clinic)
    const attempt = (text: string, of = core.services.db) =>
      of.tenant(systemContext(clinic.id), () => of.call(text, []))
    for (const name of [
      'begin_erasure',
      'erase_patient_consents',
      'erase_patient_audit_keys',
      'erase_own_responses',
      'list_platform_responses',
    ]) {
      await assert.rejects(attempt(`select ${name}('${patient.id}')`), { code: '42501' }, name)
    }
    await assert.rejects(attempt(`select erase_response('${patient.id}', null, '/v1/patients', 'key')`), {
      code: '42501',
    })
    for (const text of [
      `update patients set erased_at = now()`,
      `delete from run_manifests`,
      `delete from mail_outbox`,
      `delete from appointments`,
    ])
      await assert.rejects(attempt(text), { code: '42501' }, text)
    const [row] = await query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id) values ($1, 'erase', $2, $3) returning id`,
      [clinic.id, patient.id, patient.profile_id],
    )
    const begun = await query(
      `select e.* from (select set_config('app.org_id', $1, false)) c, lateral begin_erasure($2) e`,
      [clinic.id, row?.id],
    )
    assert.deepEqual(begun, [])
  })
})
