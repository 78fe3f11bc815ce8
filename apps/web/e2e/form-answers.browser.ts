import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { Page } from 'playwright-core'
import { checkNarrow, type View } from './browser.ts'
import { intakeFormOf } from './intake-form.ts'
import { SKIPPED, useWorld } from './world.ts'

// No answer is lost, however the page is left, and the page never says "Saved" about an answer that is not stored.

const FIELDS = [
  { key: 'complaint', label: 'What brings you here?', type: 'textarea', required: true },
  { key: 'contact', label: 'E-mail of a relative', type: 'email' },
  { key: 'smoker', label: 'Do you smoke?', type: 'radio', options: ['Yes', 'No'] },
  { key: 'letter', label: 'Letter', type: 'file', allowed_file_types: ['application/pdf'], max_file_size: 100_000 },
]
const APPS = ['portal', 'console'] as const

describe('answers of a form', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function openForm(app: (typeof APPS)[number], view: View = {}) {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    const form = await intakeFormOf(world, clinic, record.patient_profile_id, { fields: FIELDS })
    const list = app === 'portal' ? `${clinic.slug}/forms` : `${clinic.slug}/patients/${record.id}/forms`
    const as = app === 'portal' ? email : clinic.admin
    const page = await world.open({ app, as, path: list, ...view })
    await page.getByRole('link', { name: /Intake/ }).click()
    const complaint = page.locator('textarea[name]')
    await complaint.click()
    return { clinic, email, as, page, complaint, url: page.url(), ...readerOf(form.id, email) }
  }
  const readerOf = (id: string, email: string) => {
    const values = async () => (await world.api.get(`/v1/forms/${id}`, email)).values as Record<string, unknown>
    return {
      id,
      values,
      stores: (wanted: string) => until(async () => (await values()).field_complaint === wanted, 20_000),
    }
  }
  const saved = (page: Page) => page.getByText('Saved', { exact: true })
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
  const backToForm = async (page: Page) => {
    await page.getByRole('link', { name: /Intake/ }).click()
    await page.locator('textarea[name]').waitFor()
  }

  for (const app of APPS) {
    test(`leaving by a link at once saves; the way back shows the answer, and the next key saves too (${app})`, async () => {
      const { page, complaint, values, stores } = await openForm(app)
      await page.keyboard.type('The knee')
      await page.getByRole('link', { name: 'All forms' }).click()
      await page.waitForURL((url) => url.pathname.endsWith('/forms'))
      assert.equal((await values()).field_complaint, 'The knee')
      await backToForm(page)
      assert.equal(await complaint.inputValue(), 'The knee')
      await complaint.focus()
      await page.keyboard.press('End')
      await page.keyboard.type(' hurts')
      await stores('The knee hurts')
      await saved(page).waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await page.getByText('another tab', { exact: false }).count(), 0)
      await page.context().close()
    })

    test(`leaving with the Back button at once saves (${app})`, async () => {
      const { page, complaint, values } = await openForm(app)
      await page.keyboard.type('The knee')
      await page.goBack()
      await page.getByRole('link', { name: /Intake/ }).waitFor()
      assert.equal((await values()).field_complaint, 'The knee')
      await page.goForward()
      await complaint.waitFor()
      assert.equal(await complaint.inputValue(), 'The knee')
      await page.context().close()
    })

    test(`a reload at once asks, and the answer is there afterwards (${app})`, async () => {
      const { page, complaint, stores } = await openForm(app)
      const asked: string[] = []
      page.on('dialog', (dialog) => {
        asked.push(dialog.type())
        void stores('The knee').then(() => dialog.accept())
      })
      await page.keyboard.type('The knee')
      await page.reload()
      await complaint.waitFor()
      assert.equal(await complaint.inputValue(), 'The knee')
      assert.deepEqual(asked, ['beforeunload'])
      await page.reload()
      assert.equal(asked.length, 1, 'nothing to lose, nothing to ask')
      await page.context().close()
    })

    test(`closing the tab at once saves, although the person answers at once (${app})`, async () => {
      const { page, stores } = await openForm(app)
      page.on('dialog', (dialog) => void dialog.accept())
      const context = page.context()
      await page.keyboard.type('The knee')
      await page.close({ runBeforeUnload: true })
      await stores('The knee')
      await context.close()
    })

    test(`a refused answer is named beside the others, and leaving asks (${app})`, async () => {
      const { page, complaint, values } = await openForm(app)
      await page.keyboard.type('The knee')
      await page.getByLabel('E-mail of a relative').fill('half@')
      await page.getByText('Not saved: E-mail of a relative. The other answers are saved.').waitFor()
      assert.equal(await saved(page).count(), 0)
      assert.deepEqual(await values(), { field_complaint: 'The knee' })
      await page.getByRole('link', { name: 'All forms' }).click()
      await question(page).getByText('Not saved: E-mail of a relative.').waitFor()
      await world.check(page)
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      assert.equal(await page.getByLabel('E-mail of a relative').inputValue(), 'half@')
      await page.locator('[aria-invalid=true][type=email]').waitFor()
      await page.getByLabel('E-mail of a relative').fill('half@mail.example')
      await saved(page).waitFor()

      // The form is complete now: the server refuses to empty a required answer.
      await complaint.fill('')
      await page.getByText('Not saved: What brings you here?', { exact: false }).waitFor()
      await page.locator('textarea[aria-invalid=true]').waitFor()
      assert.equal(await saved(page).count(), 0)
      await page.goBack()
      await question(page).getByRole('button', { name: 'Leave without saving' }).click()
      await backToForm(page)
      assert.equal(await complaint.inputValue(), 'The knee')
      assert.equal((await values()).field_contact, 'half@mail.example')
      await page.context().close()
    })
  }

  test('answers from two tabs of the same person are both kept, and the same answer is asked about (phone)', async () => {
    const { page, complaint, values, url, stores } = await openForm('portal', { width: 360 })
    const other = await page.context().newPage()
    await other.goto(url)
    await other.locator('textarea[name]').waitFor()
    await page.keyboard.type('One')
    await stores('One')
    await other.getByRole('radio', { name: 'No', exact: true }).check()
    await other.getByText('You changed this form in another tab or on another device. Both changes are kept.').waitFor()
    await saved(other).waitFor()
    assert.equal(await other.locator('textarea[name]').inputValue(), 'One')
    assert.deepEqual(await values(), { field_complaint: 'One', field_smoker: 'No' })

    await other.locator('textarea[name]').fill('Two')
    await stores('Two')
    await complaint.fill('Three')
    const conflict = page.getByRole('dialog', { name: 'You saved this in another tab or on another device' })
    await conflict.getByRole('cell', { name: 'Two' }).waitFor()
    assert.equal(await page.getByText('Somebody', { exact: false }).count(), 0)
    await world.check(page)
    await checkNarrow(page)
    await page.keyboard.press('Escape')
    await page.getByText('Not saved: What brings you here?', { exact: false }).waitFor()
    assert.equal((await values()).field_complaint, 'Two', 'nothing is overwritten without a decision')
    await page.getByRole('button', { name: 'Save now' }).click()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await saved(page).waitFor()
    assert.equal((await values()).field_complaint, 'Three')
    await page.context().close()
  })

  test('without a connection leaving asks, and the answer is saved when the connection is back (ro, dark)', async () => {
    const { page, complaint, stores, url } = await openForm('portal', { language: 'ro', scheme: 'dark', width: 360 })
    await page.context().setOffline(true)
    await page.keyboard.type('Genunchiul')
    await page.getByText('Încă nesalvat. Încercăm din nou.').waitFor()
    await page.getByRole('link', { name: 'Toate formularele' }).click()
    const asking = page.getByRole('dialog', { name: 'Ieșiți fără a salva?' })
    await asking.waitFor()
    await world.check(page)
    await page.keyboard.press('Escape')
    await asking.waitFor({ state: 'detached' })
    assert.equal(page.url(), url)
    assert.equal(await complaint.inputValue(), 'Genunchiul')
    await page.context().setOffline(false)
    await page.getByText('Salvat', { exact: true }).waitFor()
    await stores('Genunchiul')
    await page.context().close()
  })

  test('a save is repeated until an unavailable server answers', async () => {
    const { page, stores } = await openForm('portal')
    const { database } = world.services
    const name = new URL(database.url).pathname.slice(1)
    const admit = (limit: number) => database.query(`alter database ${name} connection limit ${limit}`)
    await admit(0)
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename like 'tendon%'`,
      [name],
    )
    const away = { timeout: 60_000 }
    const refused = () => page.waitForResponse((response) => response.status() === 503, away)
    const twice = refused().then(refused)
    try {
      await page.keyboard.type('The knee')
      await page.getByText('Not saved yet. We will try again.').waitFor(away)
      await twice
    } finally {
      await admit(-1)
    }
    await saved(page).waitFor(away)
    await stores('The knee')
    await page.context().close()
  })

  test('when the session ends while somebody types, the answer is saved after signing in again', async () => {
    const { page, email, stores, complaint } = await openForm('portal')
    await world.services.database.query(`delete from web_sessions where app = 'portal'`, [])
    await page.keyboard.type('The knee')
    const again = page.getByRole('button', { name: 'Sign in again' })
    await again.waitFor()
    const popup = page.waitForEvent('popup')
    await again.click()
    const window = await popup
    await Promise.race([
      window.waitForEvent('close'),
      window
        .locator('#email')
        .waitFor()
        .then(() => world.approve(window, email)),
    ]).catch(() => undefined)
    await stores('The knee')
    await saved(page).waitFor()
    assert.equal(await complaint.inputValue(), 'The knee')
    await page.context().close()
  })

  test('when the clinic signs the form meanwhile, the refused answer stays on the page, and leaving asks', async () => {
    const { page, clinic, id, complaint, stores } = await openForm('portal')
    await page.keyboard.type('The knee')
    await stores('The knee')
    await saved(page).waitFor()
    await world.api.rawPost(`/v1/forms/${id}/sign`, clinic.admin, {})
    await complaint.fill('Too late')
    await page.getByText(/signed and (can no longer|cannot) be changed/).waitFor()
    await page.clock.setSystemTime(Date.now() + 60_000)
    const read = page.waitForResponse((response) => response.url().endsWith(`/v1/forms/${id}`))
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await (await read).finished()
    await page.getByRole('link', { name: 'All forms' }).click()
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await complaint.inputValue(), 'Too late')
    await page.getByRole('link', { name: 'All forms' }).click()
    await question(page).getByRole('button', { name: 'Leave without saving' }).click()
    await backToForm(page)
    assert.equal(await complaint.inputValue(), 'The knee')
    await page.getByText('This form is signed.', { exact: false }).waitFor()
    await page.context().close()
  })

  test('size and type of a file are checked before it is sent', async () => {
    const { page } = await openForm('portal', { width: 360 })
    let uploads = 0
    page.on('request', (request) => (uploads += Number(request.url().includes('/files/'))))
    const choose = (name: string, mimeType: string, bytes: number) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.alloc(bytes, '%PDF-1.4\n') })
    await choose('large.pdf', 'application/pdf', 300_000)
    await page.getByText('The file is too large: 0.29 MB.', { exact: false }).waitFor()
    await world.check(page)
    await choose('letter.txt', 'text/plain', 10)
    await page.getByText('Files of this type are not accepted here. Allowed: PDF.').waitFor()
    await choose('empty.pdf', 'application/pdf', 0)
    await page.getByText('The file is empty. Choose another.').waitFor()
    assert.equal(uploads, 0)
    await choose('letter.pdf', 'application/pdf', 900)
    await page.getByRole('button', { name: /letter\.pdf/ }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.equal(uploads, 1)
    await page.context().close()
  })
})
