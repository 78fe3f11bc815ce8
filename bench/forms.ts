import { createTestDatabase } from '@tendon/testing'
import type { BenchOptions } from './bench.ts'
import { adminOf, newClinic, serverEnv } from './clinics.ts'
import { load } from './load.ts'
import { Report } from './report.ts'

const FORMS = 200
const SEGMENTS = 20
const SAVES_PER_SECOND = 50

/**
 * Saving a form with all its effects: values into the profile, and by the worker the patient's segments. Compared with
 * the same save of a form without effects.
 */
export async function benchForms({ startServer, issuer, dataDir, seconds }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const env = serverEnv(database, issuer, dataDir)
  const { port } = await startServer('core', '', env)
  await startServer('worker', '', env)
  const clinic = await newClinic(database, 'forms')
  const { token } = await adminOf(clinic, { database, issuer, port })

  async function call(method: string, path: string, body?: unknown) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text)
  }

  const pain = (
    await call('POST', '/v1/custom-fields', {
      entity_type: 'patient',
      key: 'pain',
      label: 'Pain',
      field_type: 'number',
    })
  ).data.id as string
  const templateOf = async (field: object) => {
    const { data } = await call('POST', '/v1/form-templates', { title: 'Bench', type: 'survey', fields: [field] })
    await call('POST', `/v1/form-templates/${data.id}/publish`)
    return data.id as string
  }
  const linked = await templateOf({ key: 'pain', type: 'number', custom_field_id: pain })
  const alone = await templateOf({ key: 'own', type: 'number', label: 'Own' })
  for (let index = 0; index < SEGMENTS; index += 1) {
    await call('POST', '/v1/segments', {
      name: `Pain over ${index}`,
      match_mode: 'all',
      rules: [
        { source: 'profile', custom_field_id: pain, op: 'gt', value: index },
        { source: 'form', template_id: linked, custom_field_id: pain, op: 'is_set' },
      ],
    })
  }
  const profiles = await database.query<{ id: string }>(
    `with made as (insert into patient_profiles (organization_id) select $1 from generate_series(1, ${FORMS}) returning id)
     insert into patients (organization_id, patient_profile_id, first_name, last_name)
     select $1, id, 'Maria', 'Stan' from made returning patient_profile_id as id`,
    [clinic],
  )
  const formsOf = async (template: string) => {
    const ids: string[] = []
    for (const { id } of profiles)
      ids.push(
        (await call('POST', '/v1/forms', { form_template_id: template, patient_profile_id: id })).data.id as string,
      )
    return ids
  }
  const forms = { linked: await formsOf(linked), alone: await formsOf(alone) }
  await database.query('analyze')

  let turn = 0
  const save = (ids: string[], key: string) => () => {
    turn += 1
    const body = JSON.stringify({ values: { [key]: turn % 11 } })
    return `PUT /v1/forms/${ids[turn % ids.length]} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }
  const at = (ids: string[], key: string, time: number) =>
    load({ port, connections: 8, seconds: time, rate: SAVES_PER_SECOND, request: save(ids, key) })

  await at(forms.alone, 'field_own', 2)
  await at(forms.linked, `field_${pain}`, 2)
  const plain = await at(forms.alone, 'field_own', seconds)
  const full = await at(forms.linked, `field_${pain}`, seconds)
  const waitedMs = await untilEvaluated()

  async function untilEvaluated(): Promise<number> {
    const startedAt = performance.now()
    const [form = ''] = forms.linked
    await call('PUT', `/v1/forms/${form}`, { values: { [`field_${pain}`]: 100 } })
    const [first] = profiles
    for (;;) {
      const rows = await database.query(
        `select 1 from segment_members m join patients p on p.id = m.patient_id join segments s on s.id = m.segment_id
         where p.patient_profile_id = $1 and s.name = $2`,
        [first?.id, `Pain over ${SEGMENTS - 1}`],
      )
      if (rows.length > 0) return performance.now() - startedAt
      if (performance.now() - startedAt > 30_000) throw new Error('the segments were not evaluated')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  const report = new Report()
  report.load(`saves of a form at ${SAVES_PER_SECOND} a second, answers of its own`, plain)
  report.load('the same with profile sync and segments', full)
  report.ratio('p50 without ÷ with sync and segments', plain.p50 / full.p50)
  report.below('p95 of a save with sync and segments (ms)', full.p95, 50)
  report.below('until the worker has evaluated the segments (ms)', waitedMs, 1_000)
  report.print()
}
