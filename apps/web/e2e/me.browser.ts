import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { checkNarrow, checkPrivate, settle } from './browser.ts'
import { nameOf, picture, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('portal: me', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function setUp() {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic, { first: 'Ioana', last: 'Bradeanu' })
    return { clinic, email, record }
  }

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`a patient reads and changes profile, clinics, consents, access log and data (${nameOf(view)})`, async () => {
      const { clinic, email, record } = await setUp()
      await world.api.get(`/v1/patients/${record.id}`, clinic.specialist)
      const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me`, ...view })
      const go = async (link: string) => {
        await page.goto(`${world.services.url}/portal/${clinic.slug}/me`)
        await page.getByRole('link', { name: link }).click()
        await page.getByRole('heading', { level: 1, name: link }).waitFor()
        await settle(page)
        await world.check(page)
        await checkNarrow(page)
      }
      await page.getByText(ro ? 'Acest dispozitiv' : 'This device').waitFor()
      await world.check(page)
      await checkNarrow(page)
      await picture(page, 'me', view)

      await go(ro ? 'Nume și limbă' : 'Name and language')
      await picture(page, 'me-profile', view)
      await page.locator('[name=name]').fill('Ioana B.')
      await page.getByRole('button', { name: ro ? 'Salvați' : 'Save' }).click()
      await page.getByText(ro ? 'Salvat.' : 'Saved.', { exact: true }).waitFor()
      assert.equal((await world.api.get('/v1/me', email)).name, 'Ioana B.')
      await checkPrivate(page, ['Bradeanu', 'Ioana'])

      await go(ro ? 'Clinici' : 'Clinics')
      await page.getByRole('button', { name: ro ? 'Părăsiți clinica' : 'Leave this clinic' }).click()
      await world.check(page)
      await page.getByRole('button', { name: ro ? 'Renunțați' : 'Cancel', exact: true }).click()

      await go(ro ? 'Acorduri' : 'Consents')
      await picture(page, 'me-consents', view)
      await page
        .getByRole('button', { name: ro ? 'Citiți și acceptați' : 'Read and agree' })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('checkbox').check()
      await world.check(page)
      await picture(page, 'me-agree', view)
      await page.getByRole('button', { name: ro ? 'Sunt de acord și continui' : 'Agree and continue' }).click()
      await page
        .getByRole('button', { name: ro ? 'Retrageți' : 'Withdraw', exact: true })
        .first()
        .click()
      await world.check(page)
      await picture(page, 'me-withdraw', view)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        (async () => {
          await page.getByRole('button', { name: ro ? 'Renunțați' : 'Cancel', exact: true }).click()
          await page
            .getByRole('button', { name: ro ? 'Dovadă' : 'Receipt' })
            .first()
            .click()
        })(),
      ])
      const receipt = await readFile(await file.path(), 'utf8')
      const verdict = await fetch(`${world.services.url}/v1/public/consent-receipts/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: receipt,
      })
      assert.equal((await verdict.json()).data.valid, true)
      await page
        .getByRole('button', { name: ro ? 'Retrageți' : 'Withdraw', exact: true })
        .first()
        .click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: ro ? 'Retrageți' : 'Withdraw', exact: true })
        .click()
      await page.getByText(ro ? 'Acordul este retras.' : 'The consent is withdrawn.').waitFor()

      await go(ro ? 'Cine mi-a deschis fișa' : 'Who opened my record')
      await picture(page, 'me-log', view)

      await go(ro ? 'Datele mele' : 'My data')
      await picture(page, 'me-data', view)
      await page.getByRole('button', { name: ro ? 'Șterg contul meu' : 'Erase my account' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: ro ? 'Șterg contul meu' : 'Erase my account' })
        .click()
      await world.check(page)
      assert.equal((await world.api.get('/v1/me', email)).patient_records.length, 1, 'not erased without the word')
      await page.context().close()
    })
  }

  test('the language that a visitor chose holds after the first sign-in, also in texts of the API', async () => {
    const { clinic, email } = await setUp()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/me/consents`, language: 'en' })
    await page.getByRole('button', { name: 'Română' }).click()
    await page.getByRole('link', { name: 'Intrați în cont' }).click()
    await world.approve(page, email)
    await page.getByRole('heading', { level: 1, name: 'Acorduri' }).waitFor()
    await page.getByText('Măsurare cu camera').first().waitFor()
    assert.equal(await page.getByText('Camera measurement').count(), 0)
    assert.equal((await world.api.get('/v1/me', email)).preferred_language, 'ro')
  })

  test('what is typed while a form is being saved is not taken for saved: leaving asks', async () => {
    const { clinic, email } = await setUp()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me` })
    await page.getByRole('link', { name: 'Name and language' }).click()
    const name = page.locator('[name=name]')
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/me', async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    await name.fill('Ioana B.')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    await sent
    await name.fill('Ioana Br.')
    held.resolve()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    assert.equal(await name.inputValue(), 'Ioana Br.')
    await page.context().close()
  })

  test('after leaving a clinic its pages are gone', async () => {
    const { clinic, email } = await setUp()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me/clinics` })
    await page.getByRole('button', { name: 'Leave this clinic' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave this clinic' }).click()
    await page.getByRole('heading', { name: 'No clinic yet' }).waitFor()
    await world.check(page)
  })

  test('a copy of one’s data is made in the background and can be downloaded', async () => {
    const { clinic, email } = await setUp()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me/data` })
    await page.getByRole('button', { name: 'Request a copy' }).click()
    const link = page.getByRole('button', { name: 'Download' })
    await link.waitFor()
    await world.check(page)
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.match(file.suggestedFilename(), /^export-.*\.zip$/)
  })

  test('erasing the account signs the person out', async () => {
    const { clinic, email } = await setUp()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me/data` })
    await page.getByRole('button', { name: 'Erase my account' }).click()
    await page.getByRole('textbox').fill('ERASE')
    await page.getByRole('dialog').getByRole('button', { name: 'Erase my account' }).click()
    // The identity provider also asks to end its own session.
    await page.waitForURL((url) => url.origin === new URL(world.services.config.issuer).origin)
    await page.goto(`${world.services.url}/portal/`)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })

  test('an invitation mail leads to the first sign-in, the consent gate, and Today', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const email = world.people.newEmail('invited')
    await world.api.post('/v1/patients', clinic.admin, { first_name: 'Ana', last_name: 'Pop', email, invite: true })
    const page = await world.open({ app: 'portal' })
    await page.getByRole('link', { name: 'Sign in' }).click()
    await world.approve(page, email)
    const gate = page.getByRole('dialog')
    await gate.waitFor()
    for (const box of await gate.getByRole('checkbox').all()) await box.check()
    await gate.getByRole('button', { name: 'Agree and continue' }).click()
    await page.getByText('Nothing to do today').waitFor()
    await page.getByRole('link', { name: 'Book an appointment' }).waitFor()
    await world.check(page)
  })
})
