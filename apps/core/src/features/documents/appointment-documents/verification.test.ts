import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing.ts'
import { formTools, SMOKER } from '../../records/forms/forms.testing.ts'
import { documentTools } from '../documents.testing.ts'

describe('verification of a document', () => {
  let core: TestCore
  let document: Json
  before(async () => {
    core = await sharedCore()
    const forms = formTools(core)
    const clinic = await core.organization()
    const { patient } = await forms.person(clinic)
    const { id } = await forms.form(clinic, patient, await forms.template(clinic, [SMOKER]))
    await forms.save(id, clinic.admin, { field_smoker: 'No' })
    document = await documentTools(core).ok(core.post(`/v1/forms/${id}/render`, { as: clinic.admin }))
  })
  after(() => core.close())

  const verify = (code: string, headers: Record<string, string> = {}, query = '') =>
    core.get(`/v1/public/documents/verify/${encodeURIComponent(code)}${query}`, { headers })
  const pageOf = (code: string, language: string, query?: string) =>
    verify(code, { accept: 'text/html,*/*', 'accept-language': language }, query)

  test('anyone gets kind, pages, issuer, time and SHA-256 by the code, and nothing about the patient', async () => {
    const { body, text } = await verify(document.verification_code)
    assert.deepEqual(body.data, {
      valid: true,
      issued_at: document.created_at,
      clinic: 'Clinica Test',
      sha256: document.sha256,
      kind: 'form',
      pages: 1,
      size: document.size,
    })
    assert.doesNotMatch(text, /Maria|Stan/)
  })

  test('an unknown code is not valid', async () => {
    const nothing = { issued_at: null, clinic: null, sha256: null, kind: null, pages: null, size: null }
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
