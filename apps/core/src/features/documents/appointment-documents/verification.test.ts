import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import { formTools, SMOKER } from '../../records/forms/forms.testing.ts'
import { documentTools } from '../documents.testing.ts'

describe('verification of a document', () => {
  let core: TestCore
  let document: Json
  before(async () => {
    core = await sharedCore()
    document = (await issued()).document
  })
  after(() => core.close())

  async function issued() {
    const forms = formTools(core)
    const clinic = await core.organization()
    const { patient } = await forms.person(clinic)
    const { id } = await forms.form(clinic, patient, await forms.template(clinic, [SMOKER]))
    await forms.save(id, clinic.admin, { field_smoker: 'No' })
    return { clinic, document: await documentTools(core).ok(core.post(`/v1/forms/${id}/render`, { as: clinic.admin })) }
  }

  const verify = (code: string, headers: Record<string, string> = {}, query = '') =>
    core.get(`/v1/public/documents/verify/${encodeURIComponent(code)}${query}`, { headers })
  const pageOf = (code: string, language: string, query?: string) =>
    verify(code, { accept: 'text/html,*/*', 'accept-language': language }, query)

  test('anyone gets kind, pages, issuer, time and SHA-256 by the code, and nothing about the patient', async () => {
    const { body, text } = await verify(document.verification_code)
    assert.deepEqual(body.data, {
      valid: true,
      issued_at: document.created_at,
      issued_by: 'Clinica Test',
      clinic: 'Clinica Test',
      sha256: document.sha256,
      kind: 'form',
      pages: 1,
      size: document.size,
    })
    assert.doesNotMatch(text, /Maria|Stan/)
  })

  test('an unknown code is not valid', async () => {
    const nothing = {
      issued_at: null,
      issued_by: null,
      clinic: null,
      sha256: null,
      kind: null,
      pages: null,
      size: null,
    }
    for (const code of ['0'.repeat(32), "'<script>", document.id])
      assert.deepEqual((await verify(code)).body.data, { valid: false, ...nothing })
    assert.match((await pageOf('1'.repeat(32), 'ro-RO')).text, /Nu a fost emis/)
  })

  test('without a file, the page says only that a document with this code exists', async () => {
    const page = await pageOf(document.verification_code, 'en-GB')
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const shown = page.text.replaceAll(/<(script|style)>.*?<\/\1>|data-\w+="[^"]*"/gs, '')
    assert.match(shown, /A document with this code exists/)
    assert.match(shown, /was not checked/)
    assert.doesNotMatch(shown, /✓/)
    assert.ok(shown.includes(document.sha256) && !shown.includes('Maria'))
    assert.match(shown, /Form<.*Clinica Test/s)
  })

  test('after a rename the document still names the clinic that issued it', async () => {
    const { document, clinic } = await issued()
    const code = document.verification_code
    const answer = await core.patch(`/v1/organizations/${clinic.id}`, {
      as: clinic.admin,
      body: { name: 'Other <House>' },
    })
    assert.equal(answer.status, 200, answer.text)
    const { issued_by, clinic: today } = (await verify(code)).body.data
    assert.deepEqual([issued_by, today], ['Clinica Test', 'Other <House>'])
    assert.match(
      (await pageOf(code, 'en')).text,
      /Issued by<\/dt><dd>Clinica Test<.*name today<\/dt><dd>Other &lt;House&gt;</s,
    )
    assert.match((await pageOf(code, 'ro')).text, /Emis de<\/dt><dd>Clinica Test<.*de azi al clinicii<\/dt><dd>Other/s)
  })

  test('a document from before the name was kept names only the clinic of today', async () => {
    const { document } = await issued()
    await core.database.query('update appointment_documents set issued_by = null where id = $1', [document.id])
    const { issued_by, clinic } = (await verify(document.verification_code)).body.data
    assert.deepEqual([issued_by, clinic], [null, 'Clinica Test'])
    const { text } = await pageOf(document.verification_code, 'en')
    assert.match(text, /name today<\/dt><dd>Clinica Test</)
    assert.doesNotMatch(text, /Issued by/)
  })

  test('the page has the language of the browser, or the one that was asked for', async () => {
    const code = document.verification_code
    assert.match((await pageOf(code, 'ro-RO,ro;q=0.9')).text, /<html lang="ro">.*Există un document/s)
    assert.match((await pageOf(code, 'de, ro;q=0.8')).text, /<html lang="ro">/)
    assert.match((await pageOf(code, 'ro', '?language=en')).text, /<html lang="en">/)
    assert.match((await pageOf(code, 'de')).text, /<html lang="en">/)
  })

  test('the page may send nothing and run nothing but its own script', async () => {
    const policy = (await pageOf(document.verification_code, 'en')).headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*script-src 'sha256-[^']+';.*form-action 'none'/)
    assert.doesNotMatch(policy, /connect-src|unsafe/)
  })
})
