import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, documentTools } from '../documents.testing.ts'
import { DEFAULT_TEMPLATES } from './texts.ts'

const LETTER = {
  name: 'Letter',
  kind: 'appointment_letter',
  language: 'en',
  blocks: [{ type: 'text', text: 'Dear {{patient.name}}' }],
}

describe('PDF templates', () => {
  let core: TestCore
  let clinic: TestOrganization
  let other: TestOrganization
  let tools: ReturnType<typeof documentTools>
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
    other = await core.organization()
    tools = documentTools(core)
  })
  after(() => core.close())

  const create = (body: unknown = LETTER, as: Person = clinic.admin) => core.post('/v1/pdf-templates', { as, body })
  const created = async (body: unknown = LETTER) => tools.ok(create(body))
  const act = (id: string, verb: string, as = clinic.admin) => core.post(`/v1/pdf-templates/${id}/${verb}`, { as })

  test('a template is a draft until it is published; a change opens a draft and keeps the published version', async () => {
    const draft = await created()
    assert.deepEqual([draft.status, draft.version, draft.revision], ['draft', 0, 1])
    const published = await tools.ok(act(draft.id, 'publish'), 200)
    assert.deepEqual([published.status, published.version], ['published', 1])
    assert.deepEqual(codeOf(await act(draft.id, 'publish')), [409, 'nothing_to_publish'])
    const blocks = [{ type: 'text', text: 'Hello {{patient.name}}' }]
    const path = `/v1/pdf-templates/${draft.id}`
    const changed = await tools.ok(core.patch(path, { as: clinic.admin, body: { blocks } }), 200)
    assert.deepEqual([changed.status, changed.version, changed.blocks], ['draft', 1, blocks])
    const first = await tools.ok(core.get(`${path}/versions/1`, { as: clinic.admin }), 200)
    assert.deepEqual(first.blocks, LETTER.blocks)
    await tools.ok(act(draft.id, 'publish'), 200)
    const { body } = await core.get(`${path}/versions`, { as: clinic.admin })
    assert.deepEqual(
      body.data.map(({ version }: { version: number }) => version),
      [2, 1],
    )
  })

  test('a change of an outdated revision is refused (409 stale_version)', async () => {
    const { id } = await created()
    const change = (body: object) => core.patch(`/v1/pdf-templates/${id}`, { as: clinic.admin, body })
    assert.equal((await change({ name: 'One', revision: 1 })).status, 200)
    assert.deepEqual(codeOf(await change({ name: 'Two', revision: 1 })), [409, 'stale_version'])
  })

  test('an archived template cannot be changed; unarchived it is published again', async () => {
    const { id } = await created()
    await tools.ok(act(id, 'publish'), 200)
    assert.deepEqual(codeOf(await act(id, 'unarchive')), [409, 'pdf_template_not_archived'])
    await tools.ok(act(id, 'archive'), 200)
    assert.deepEqual(codeOf(await act(id, 'archive')), [409, 'pdf_template_archived'])
    const change = await core.patch(`/v1/pdf-templates/${id}`, { as: clinic.admin, body: { name: 'x' } })
    assert.deepEqual(codeOf(change), [409, 'pdf_template_archived'])
    assert.equal((await tools.ok(act(id, 'unarchive'), 200)).status, 'published')
  })

  test('a deleted template is not found; its versions stay', async () => {
    const { id } = await created()
    await tools.ok(act(id, 'publish'), 200)
    assert.equal((await core.delete(`/v1/pdf-templates/${id}`, { as: clinic.admin })).status, 204)
    assert.deepEqual(codeOf(await core.get(`/v1/pdf-templates/${id}`, { as: clinic.admin })), [
      404,
      'pdf_template_not_found',
    ])
    assert.equal((await core.get(`/v1/pdf-templates/${id}/versions/1`, { as: clinic.admin })).status, 200)
  })

  test('every wrong block is named (422 invalid_blocks)', async () => {
    const blocks = [
      { type: 'text' },
      { type: 'heading', text: 'x', rows: [] },
      { type: 'text', text: '{{patient.national_id}}' },
      { type: 'table', columns: ['a', 'b'], rows: [['1']] },
      { type: 'form_answers' },
      { type: 'image', image_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17' },
      { type: 'qr', text: 'x'.repeat(400) },
      { type: 'text', text: 'fine {{appointment.date}}' },
    ]
    const answer = await create({ ...LETTER, blocks })
    assert.deepEqual(codeOf(answer), [422, 'invalid_blocks'])
    assert.deepEqual(Object.keys(answer.body.error.fields).sort(), [
      'blocks.0.text',
      'blocks.1.rows',
      'blocks.2.text',
      'blocks.3.rows',
      'blocks.4.type',
      'blocks.5.image_id',
      'blocks.6.text',
    ])
    const unknown = await create({ ...LETTER, blocks: [{ type: 'typst', text: '#read("/etc/passwd")' }] })
    assert.deepEqual(codeOf(unknown), [422, 'validation_failed'])
  })

  test('pdf_templates.manage writes templates; members who create documents read them; other clinics get 404', async () => {
    const { id } = await created()
    const maker = await core.memberWith(clinic, ['documents.create'])
    assert.deepEqual(codeOf(await create(LETTER, maker)), [403, 'forbidden'])
    assert.equal((await core.get(`/v1/pdf-templates/${id}`, { as: maker })).status, 200)
    for (const as of [other.admin, await core.memberWith(clinic, [])]) {
      assert.deepEqual(codeOf(await core.get(`/v1/pdf-templates/${id}`, { as })), [404, 'pdf_template_not_found'])
      assert.equal((await core.get('/v1/pdf-templates', { as })).body.pagination.total, 0)
    }
    assert.deepEqual(codeOf(await act(id, 'publish', other.admin)), [404, 'pdf_template_not_found'])
  })

  test('the built-in templates exist in English and Romanian for each kind, and each can be previewed and saved', async () => {
    const { data } = (await core.get('/v1/pdf-templates/defaults', { as: clinic.admin })).body
    assert.equal(data.length, 8)
    for (const template of DEFAULT_TEMPLATES) {
      await created(template)
      const { kind, language, blocks } = template
      const preview = await fetch(`${core.url}/v1/pdf-templates/preview`, {
        method: 'POST',
        headers: { authorization: `Bearer ${clinic.admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ kind, language, blocks }),
      })
      assert.equal(preview.status, 200)
      assert.equal(preview.headers.get('content-type'), 'application/pdf')
      const text = await tools.textOf(Buffer.from(await preview.arrayBuffer()))
      assert.match(text, /Clinica Test/)
      assert.match(text, language === 'ro' ? /Exemplu/ : /Example/)
    }
  })
})
