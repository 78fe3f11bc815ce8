import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkNarrow, checkPage, newContext, tabTo, type View } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the page that verifies a document', { skip: SKIPPED }, () => {
  const world = useWorld()
  let issued: { url: string; file: Buffer } | undefined

  /** A certificate for a form, and its file. */
  async function issuedDocument() {
    if (issued) return issued
    const { api, people, services } = world
    const clinic = await people.clinic()
    await people.publishNotice(clinic)
    const { record } = await people.patient(clinic, { first: 'Maria', last: 'Stan' })
    const template = await api.post('/v1/form-templates', clinic.admin, {
      title: 'Assessment',
      type: 'assessment',
      fields: [{ key: 'finding', label: 'Finding', type: 'text' }],
    })
    await api.post(`/v1/form-templates/${template.id}/publish`, clinic.admin, {})
    const { patient_profile_id } = record
    const form = await api.post('/v1/forms', clinic.admin, { form_template_id: template.id, patient_profile_id })
    await api.put(`/v1/forms/${form.id}`, clinic.admin, { values: { field_finding: 'None.' } })
    const document = await api.post(`/v1/forms/${form.id}/render`, clinic.admin, {})
    const [stored] = await services.database.query<{ object_key: string }>(
      'select object_key from appointment_documents where id = $1',
      [document.id],
    )
    const object = await services.services.objects.get(stored?.object_key ?? '')
    assert.ok(object)
    const file = await buffer(object.body)
    issued = { url: `${services.url}/v1/public/documents/verify/${document.verification_code}`, file }
    return issued
  }

  async function open(view: View = {}): Promise<{ page: Page; file: Buffer; problems: string[] }> {
    const { url, file } = await issuedDocument()
    const page = await (await newContext(world.browser, view)).newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => request.url() !== url && problems.push(`${request.method()} ${request.url()}`))
    await page.goto(url)
    return { page, file, problems }
  }
  const pdf = (buffer: Buffer) => ({ name: 'document.pdf', mimeType: 'application/pdf', buffer })
  const drop = (page: Page, ...files: Buffer[]) =>
    page.evaluate(
      (contents) => {
        const data = new DataTransfer()
        for (const content of contents)
          data.items.add(new File([Uint8Array.from(atob(content), (one) => one.charCodeAt(0))], 'dropped.pdf'))
        for (const name of ['dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }))
      },
      files.map((bytes) => bytes.toString('base64')),
    )

  test('the page says that the code exists, then whether the chosen file is the document, and sends nothing', async () => {
    const { page, file, problems } = await open()
    const result = page.getByRole('status')
    assert.equal(await result.textContent(), 'No file was checked.')
    assert.doesNotMatch(await page.locator('main').innerText(), /✓|Maria|Stan/)
    await checkPage(page)
    const field = page.getByLabel('PDF file')
    await field.setInputFiles(pdf(file))
    await result.getByText('✓ This file is the document that was issued').waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /was not checked/)
    await checkPage(page)
    const forged = Buffer.from(file)
    forged[forged.length - 10] = (forged.at(-10) ?? 0) ^ 1
    for (const other of [forged, Buffer.from('another file'), Buffer.concat([file, Buffer.from('\n')])]) {
      await field.setInputFiles(pdf(other))
      await result.getByText('✗ This file is not the document').waitFor()
    }
    await checkPage(page)
    await field.setInputFiles([])
    await result.getByText('No file was checked.').waitFor()
    await page.getByText(/was not checked: a code can be copied/).waitFor()
    assert.deepEqual(problems, [])
    await page.context().close()
  })

  test('the page takes a file that is dropped anywhere on the page, in Romanian and in the dark', async () => {
    const { page, file, problems } = await open({ language: 'ro', scheme: 'dark', width: 360 })
    const result = page.getByRole('status')
    await page.getByText('Există un document cu acest cod.').waitFor()
    await checkPage(page)
    await checkNarrow(page)
    await drop(page, Buffer.from('another file'))
    await result.getByText('✗ Acest fișier nu este documentul').waitFor()
    await drop(page, file)
    await result.getByText('✓ Acest fișier este documentul emis').waitFor()
    await checkPage(page)
    await drop(page, file, Buffer.from('another file'))
    await result.getByText('Au fost trase mai multe fișiere.').waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /✓/)
    assert.equal(await page.getByLabel('Fișierul PDF').inputValue(), '')
    await page.getByText(/un cod poate fi copiat/).waitFor()
    await checkPage(page)
    assert.deepEqual(problems, [])
    await page.context().close()
  })

  test('the page works by keyboard, and its controls are large enough for a finger', async () => {
    const { page, file } = await open({ width: 360 })
    // Start listening before the key press, so that the event cannot be missed.
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      tabTo(page, '#file').then(() => page.keyboard.press('Space')),
    ])
    await chooser.setFiles(pdf(file))
    await page.getByRole('status').getByText('✓').waitFor()
    const low = await page
      .locator('input, summary, a')
      .evaluateAll((controls) =>
        controls.map((control) => control.getBoundingClientRect().height).filter((height) => height < 44),
      )
    assert.deepEqual(low, [])
    await tabTo(page, 'summary')
    await page.keyboard.press('Enter')
    await page.getByText('The SHA-256 of the issued file is:').waitFor()
    await tabTo(page, 'a')
    await Promise.all([page.waitForURL(/language=ro/), page.keyboard.press('Enter')])
    await page.getByText('Nu a fost verificat niciun fișier.').waitFor()
    await page.context().close()
  })
})
