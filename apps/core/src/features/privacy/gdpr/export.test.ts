import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import type { DB } from '@tendon/db'
import { until } from '@tendon/testing'
import { dataClasses } from '../../../data-classes.ts'
import type { DataClass } from '../../../platform/data-class.ts'
import { addJob } from '../../../platform/jobs.ts'
import { unzip } from '../../../platform/zip.testing.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type CoreAndWorker, startCoreAndWorker } from './work.testing.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NUMBER = 'RR 700700'
const NASTY = '<script>alert("x")</script>'

/** A data class of a test feature, with more rows than a page, and with files. */
const scans: DataClass = {
  name: 'scans',
  table: 'scans' as keyof DB,
  label: { en: 'Scans', ro: 'Scanări' },
  patientColumn: 'patient_id',
  export: { rows: ['title'] },
  erase: { strategy: 'delete' },
  files: 'object_key',
}
const SCANS = `create table scans (id uuid primary key default uuidv7(), organization_id uuid, patient_id uuid, title text, object_key text);
  grant select on scans to tendon_worker`

describe('exports', () => {
  let core: CoreAndWorker
  let clinic: TestOrganization
  let stop: () => Promise<void>
  let clock: Date | undefined
  let failing: Error | undefined
  const now = () => clock ?? new Date()

  before(async () => {
    core = await startCoreAndWorker([...dataClasses, scans], { now })
    await core.database.query(SCANS)
    clinic = await core.organization({ name: 'Clinica Mlădița', language_code: 'ro' })
    await core.publishNotice(clinic)
    const { objects } = core.services
    stop = await core.startWorker({
      objects: { ...objects, put: (...given) => (failing ? Promise.reject(failing) : objects.put(...given)) },
    })
  })
  after(async () => {
    await stop()
    await core.close()
  })

  const onboard = async (of = clinic, values: object = {}) => {
    const body = { first_name: 'Ștefania', last_name: 'Țepeș', email: `${randomUUID()}@mail.example`, ...values }
    const answer = await core.post('/v1/patients', { as: of.admin, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data as { id: string; patient_profile_id: string; email: string }
  }
  async function download(url: string): Promise<Map<string, Buffer>> {
    const { pathname, search } = new URL(url)
    const response = await fetch(core.url + pathname + search)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/zip')
    return unzip(Buffer.from(await response.arrayBuffer()))
  }
  const rowsOf = (files: Map<string, Buffer>, name: string) =>
    (files.get(`${name}.ndjson`)?.toString('utf8') ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))

  test('an export is a ZIP with rows, files, a readable page and a matching manifest', async () => {
    const consents = [{ purpose_code: 'analytics', purpose_version: 1 }]
    const patient = await onboard(clinic, { national_id: NUMBER, notes: NASTY, birth_date: '1984-03-09', consents })
    await core.get(`/v1/patients/${patient.id}`, { as: clinic.admin })
    const twin = await onboard(clinic, { last_name: 'Geamăn' })
    const elsewhere = await core.organization()
    await core.publishNotice(elsewhere)
    await onboard(elsewhere, { last_name: 'Altundeva' })

    const request = await core.ended(clinic, await core.ask('export', clinic, patient.id))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    assert.deepEqual([request.progress, request.error], [100, null])
    const files = await download(request.download_url)

    const manifest = JSON.parse(String(files.get('manifest.json')))
    assert.deepEqual(manifest, request.manifest)
    assert.deepEqual([manifest.organization.name, manifest.patient_id], ['Clinica Mlădița', patient.id])
    assert.deepEqual(
      [...files.keys()].filter((name) => name !== 'manifest.json'),
      manifest.files.map((file: { name: string }) => file.name),
    )
    for (const { name, bytes, sha256, rows } of manifest.files) {
      const content = files.get(name) ?? Buffer.of()
      assert.deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [bytes, sha256], name)
      if (rows !== null) assert.equal(rows, rowsOf(files, name.replace('.ndjson', '')).length, name)
    }
    const leftOut = new Set(manifest.left_out.map((one: { name: string }) => one.name))
    const unsaid = ['idempotency_keys', 'outbox_events', 'impersonations', 'audit_keys']
    assert.deepEqual(
      unsaid.filter((name) => !leftOut.has(name)),
      [],
    )

    assert.ok(files.has('mail_outbox.ndjson'))
    const [record] = rowsOf(files, 'patients')
    assert.deepEqual([record.last_name, record.birth_date, record.notes], ['Țepeș', '1984-03-09', NASTY])
    assert.equal(rowsOf(files, 'patient_profiles')[0].national_id, NUMBER)
    assert.equal(rowsOf(files, 'consents')[0].purpose_code, 'analytics')
    const log = rowsOf(files, 'audit_log')
    assert.ok(log.some((entry) => entry.action === 'patients.create' && entry.actor_name === clinic.admin.name))

    const everything = [...files].map(([name, content]) => `${name} ${content.toString('utf8')}`)
    const numbered = everything.filter((text) => text.includes(NUMBER)).map((text) => text.split(' ')[0])
    assert.deepEqual(numbered, ['patient_profiles.ndjson'], 'the number, in the person’s own profile alone')
    for (const text of everything) assert.doesNotMatch(text, new RegExp(`Geamăn|Altundeva|${twin.id}|wrapped_key`))
  })

  test('the page is in the clinic’s language, escaped, and loads nothing from elsewhere', async () => {
    const patient = await onboard(clinic, { first_name: NASTY, notes: `"' & ${NASTY}` })
    const request = await core.ended(clinic, await core.ask('export', clinic, patient.id))
    const page = String((await download(request.download_url)).get('index.html'))
    assert.match(page, /<html lang="ro">/)
    assert.match(page, /Datele dumneavoastră/)
    assert.match(page, /Fișa pacientului/)
    assert.match(page, /&#60;script&#62;/)
    assert.doesNotMatch(page, /<script|https?:|src=|url\(|@import|<link|<img/)
    assert.match(page, /default-src 'none'/)
    assert.match(page, /@media print/)
  })

  test('an export can have many rows and files; missing files are reported', async () => {
    const patient = await onboard()
    const other = await onboard()
    const key = `scans/${randomUUID()}.png`
    await core.services.objects.put(key, Buffer.from('picture'), { contentType: 'image/png', maxBytes: 100 })
    await core.database.query(
      `insert into scans (organization_id, patient_id, title) select $1, $2, 'Scan ' || n from generate_series(1, 450) n`,
      [clinic.id, patient.id],
    )
    const [kept, gone] = await core.database.query<{ id: string }>(
      `insert into scans (organization_id, patient_id, title, object_key) values ($1, $2, 'Kept', $3), ($1, $2, 'Gone', 'scans/gone.png'),
       ($1, $4, 'Of another', $3) returning id`,
      [clinic.id, patient.id, key, other.id],
    )
    const request = await core.ended(clinic, await core.ask('export', clinic, patient.id))
    const files = await download(request.download_url)
    const rows = rowsOf(files, 'scans')
    assert.equal(rows.length, 452)
    assert.equal(new Set(rows.map((row) => row.id)).size, 452)
    const file = `files/scans/${kept?.id}.png`
    assert.equal(rows.find((row) => row.title === 'Kept').file, file)
    assert.equal(String(files.get(file)), 'picture')
    assert.ok(!rows.some((row) => 'object_key' in row))
    const missing = `files/scans/${gone?.id}.png`
    assert.ok(request.manifest.left_out.some((one: { name: string }) => one.name === missing))
    const page = String(files.get('index.html'))
    assert.match(page, /Sunt arătate primele 200 din 452/)
    assert.ok(!page.includes('Scan 201'))
  })

  test('the link is valid for 15 minutes and renewed on each read, and each read is audited', async () => {
    const patient = await onboard()
    const id = await core.ask('export', clinic, patient.id)
    const { download_url } = await core.ended(clinic, id)
    assert.match(new URL(download_url).searchParams.get('name') ?? '', /^export-[0-9a-f-]+\.zip$/)
    const seconds = Number(new URL(download_url).searchParams.get('expires')) - Date.now() / 1000
    assert.ok(seconds > 14 * 60 && seconds <= 15 * 60, String(seconds))
    await core.read(clinic, id)
    const { body } = await core.get(`/v1/audit-logs?action=gdpr.download_link&target_id=${id}`, { as: clinic.admin })
    assert.ok(body.pagination.total >= 2)
    assert.equal(body.data[0].patient_profile_id, patient.patient_profile_id)
    const eraser = await core.memberWith(clinic, ['gdpr.erase_data'])
    assert.equal((await core.get(`/v1/gdpr/requests/${id}`, { as: eraser })).body.data.download_url, null)
    const done = await core.get(`/v1/audit-logs?action=gdpr.export_completed&target_id=${id}`, { as: clinic.admin })
    assert.equal(done.body.data[0].actor.type, 'system')
    const [event] = await core.database.query<{ payload: unknown }>(
      `select payload from outbox_events where type = 'gdpr.export_completed' and payload ->> 'request_id' = $1`,
      [id],
    )
    assert.deepEqual(event?.payload, { request_id: id, patient_id: patient.id })
  })

  const isStored = async (id: string) => (await core.keys()).some((key) => key.includes(id))
  const tidy = () => core.services.db.tenant(systemContext(null), (tx) => addJob(tx, 'gdpr.tidy', {}, { key: 'test' }))

  test('the file of a failed export is deleted too', async () => {
    const patient = await onboard()
    const id = await core.ask('export', clinic, patient.id)
    await core.ended(clinic, id)
    await core.database.query(`update privacy_requests set status = 'error', expires_at = null where id = $1`, [id])
    await tidy()
    await until(async () => !(await isStored(id)))
  })

  test('after seven days the file and the link are deleted; the request stays', async () => {
    const patient = await onboard()
    const id = await core.ask('export', clinic, patient.id)
    const { expires_at, completed_at } = await core.ended(clinic, id)
    assert.equal(Date.parse(expires_at) - Date.parse(completed_at), 7 * DAY_MS)
    const idle = () =>
      until(
        async () =>
          (await core.database.query(`select 1 from graphile_worker.jobs where key like '%gdpr.tidy%'`)).length === 0,
      )
    try {
      clock = new Date(Date.parse(expires_at) - 1_000)
      await tidy()
      await idle()
      assert.ok(await isStored(id), 'not before its time')
      clock = new Date(Date.parse(expires_at))
      assert.equal((await core.read(clinic, id)).download_url, null, 'even before the file is deleted')
      await tidy()
      await until(async () => !(await isStored(id)))
      await idle()
    } finally {
      clock = undefined
    }
    const { status, download_url, manifest } = await core.read(clinic, id)
    assert.deepEqual([status, download_url], ['completed', null])
    assert.equal(manifest.patient_id, patient.id)
  })

  test('a failure is shown while the export is retried; the last one ends the request and leaves nothing', async () => {
    const patient = await onboard()
    const [row] = await core.database.query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id) values ($1, 'export', $2, $3) returning id`,
      [clinic.id, patient.id, patient.patient_profile_id],
    )
    const id = row?.id ?? ''
    const run = (maxAttempts: number) =>
      core.services.db.tenant(systemContext(clinic.id), (tx) =>
        addJob(tx, 'gdpr.export', { request_id: id }, { maxAttempts }),
      )
    try {
      failing = new RangeError('ana@mail.example')
      await run(2)
      const request = await until(async () => {
        const shown = await core.read(clinic, id)
        return shown.error === null ? undefined : shown
      })
      assert.deepEqual([request.status, request.error], ['active', 'RangeError'])
      await core.database.query(
        `delete from graphile_worker._private_jobs where payload -> 'payload' ->> 'request_id' = $1`,
        [id],
      )
      await run(1)
      assert.deepEqual((await core.ended(clinic, id)).status, 'error')
    } finally {
      failing = undefined
    }
    assert.ok(!(await core.keys()).some((key) => key.includes(id)))
    assert.equal((await core.ended(clinic, await core.ask('export', clinic, patient.id))).status, 'completed')
  })

  test('an attempt that crashed is repeated under a new key, and its file is deleted', async () => {
    const patient = await onboard()
    const left = `privacy-exports/${clinic.id}/${patient.id}/`
    const [row] = await core.database.query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id, status, progress, object_key)
       values ($1, 'export', $2, $3, 'active', 40, 'privacy-exports/x') returning id`,
      [clinic.id, patient.id, patient.patient_profile_id],
    )
    const id = row?.id ?? ''
    const half = `${left}${id}/${randomUUID()}.zip`
    await core.services.objects.put(half, Buffer.from('half'), { contentType: 'application/zip', maxBytes: 100 })
    await core.services.db.tenant(systemContext(clinic.id), (tx) => addJob(tx, 'gdpr.export', { request_id: id }))
    const request = await core.ended(clinic, id)
    assert.equal(request.status, 'completed')
    const keys = (await core.keys()).filter((key) => key.startsWith(left))
    assert.equal(keys.length, 1)
    assert.notEqual(keys[0], half)
    await download(request.download_url)
  })

  test('two attempts at once leave one file, the one that the link returns', async () => {
    const patient = await onboard()
    const [row] = await core.database.query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id) values ($1, 'export', $2, $3) returning id`,
      [clinic.id, patient.id, patient.patient_profile_id],
    )
    const id = row?.id ?? ''
    await core.services.db.tenant(systemContext(clinic.id), async (tx) => {
      for (let twin = 0; twin < 4; twin++) await addJob(tx, 'gdpr.export', { request_id: id })
    })
    const { download_url } = await core.ended(clinic, id)
    await until(
      async () =>
        (
          await core.database.query(
            `select 1 from graphile_worker._private_jobs where payload -> 'payload' ->> 'request_id' = $1`,
            [id],
          )
        ).length === 0,
    )
    assert.equal((await core.keys()).filter((key) => key.includes(id)).length, 1)
    await download(download_url)
    const { body } = await core.get(`/v1/audit-logs?action=gdpr.export_completed&target_id=${id}`, { as: clinic.admin })
    assert.equal(body.pagination.total, 1)
  })

  test('a cancelled export is not created', async () => {
    const patient = await onboard()
    const [row] = await core.database.query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id) values ($1, 'export', $2, $3) returning id`,
      [clinic.id, patient.id, patient.patient_profile_id],
    )
    const id = row?.id ?? ''
    assert.equal((await core.post(`/v1/gdpr/requests/${id}/cancel`, { as: clinic.admin })).status, 200)
    await core.services.db.tenant(systemContext(clinic.id), (tx) => addJob(tx, 'gdpr.export', { request_id: id }))
    await until(
      async () =>
        (
          await core.database.query(
            `select 1 from graphile_worker._private_jobs where payload -> 'payload' ->> 'request_id' = $1`,
            [id],
          )
        ).length === 0,
    )
    assert.equal((await core.read(clinic, id)).status, 'cancelled')
    assert.ok(!(await core.keys()).some((key) => key.includes(id)))
  })

  test('abandoned requests end as errors', async () => {
    const patient = await onboard()
    const [row] = await core.database.query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id, status, updated_at)
       values ($1, 'export', $2, $3, 'active', now() - interval '5 days') returning id`,
      [clinic.id, patient.id, patient.patient_profile_id],
    )
    await core.services.db.tenant(systemContext(null), (tx) => addJob(tx, 'gdpr.tidy', {}))
    const { status, error } = await core.ended(clinic, row?.id ?? '')
    assert.deepEqual([status, error], ['error', 'Stalled'])
  })

  test('nothing personal is in the worker’s log', () => {
    assert.doesNotMatch(core.workerLog.join(''), /Ștefania|Țepeș|RR 700700/)
  })
})
