import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import type { TestClinic } from './people.ts'
import { SKIPPED, useWorld } from './world.ts'

const VALUES = {
  clinic_name: 'Clinica Mlădița',
  legal_name: 'Mlădița Medical SRL',
  address: 'Strada Lipscani 12, București',
  contact_email: 'privacy@mladita.example',
  dpo_contact: 'Ana Ionescu, dpo@mladita.example',
  retention_years: '-',
}

describe('the console: privacy notice', { skip: SKIPPED }, () => {
  const world = useWorld()
  const at = (clinic: TestClinic) => `/v1/organizations/${clinic.id}/privacy-notice`
  const draft = (clinic: TestClinic, values: object = {}) =>
    world.api.put(at(clinic), clinic.admin, {
      placeholder_values: { ...VALUES, ...values },
      included_sections: ['telerehab_camera'],
    })
  const versionOf = async (clinic: TestClinic) => (await world.api.get(at(clinic), clinic.admin)).published_version

  test('a dash is not a retention period; the text and its consequences are shown before it is published', async () => {
    const clinic = await world.people.clinic()
    await draft(clinic)
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/privacy-notice` })
    const publish = page.getByRole('button', { name: 'Save and publish…' })
    const dialog = page.getByRole('dialog')
    await publish.click()
    await page.getByText('A dash or dots are not enough.', { exact: false }).waitFor()
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('name')),
      'placeholder_values.retention_years',
    )
    assert.equal(await dialog.count(), 0)
    assert.equal(await page.locator('[aria-invalid=true]').count(), 1, 'only what the text needs')
    await page.locator('[name="placeholder_values.retention_years"]').fill('10')
    await publish.click()
    await dialog.getByText('It becomes version 1.', { exact: false }).waitFor()
    await dialog.getByText('No patient has an account yet.').waitFor()
    await dialog.getByText('Privacy notice of Clinica Mlădița', { exact: false }).waitFor()
    await dialog.getByText('Nota de informare a clinicii Clinica Mlădița', { exact: false }).waitFor()
    await world.check(page)
    await checkNarrow(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await versionOf(clinic), null, 'the first click and the preview publish nothing')
    await publish.click()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published as version 1.').waitFor()
    assert.equal(await versionOf(clinic), 1)
    await page.context().close()
  })

  test('publishing again says how many patients must accept, and that the text has not changed (ro, phone, dark)', async () => {
    const clinic = await world.people.clinic()
    await draft(clinic, { retention_years: '10' })
    await world.api.post(`${at(clinic)}/publish`, clinic.admin, undefined)
    for (const first of ['Ioana', 'Maria']) await world.people.patient(clinic, { first })
    const page = await world.open({
      app: 'console',
      as: clinic.admin,
      path: `${clinic.slug}/privacy-notice`,
      language: 'ro',
      scheme: 'dark',
      width: 360,
    })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Salvați și publicați…' }).click()
    await dialog.getByText('Textul înlocuiește versiunea 1', { exact: false }).waitFor()
    await dialog.getByText('2 pacienți au cont și vor fi rugați să îl accepte', { exact: false }).waitFor()
    await dialog.getByText('Textul este același ca în versiunea 1', { exact: false }).waitFor()
    await world.check(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('[name="placeholder_values.retention_years"]').fill('12')
    await page.getByRole('button', { name: 'Salvați și publicați…' }).click()
    await dialog.getByText('12', { exact: false }).first().waitFor()
    assert.equal(await dialog.getByText('Textul este același', { exact: false }).count(), 0)
    await dialog.getByRole('button', { name: 'Publicați', exact: true }).click()
    await page.getByText('Publicată ca versiunea 2.').waitFor()
    assert.equal(await versionOf(clinic), 2)
    await page.context().close()
  })

  test('what a colleague saves between saving and publishing is not published unseen', async () => {
    const clinic = await world.people.clinic()
    await draft(clinic, { retention_years: '10' })
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/privacy-notice` })
    const dialog = page.getByRole('dialog')
    const admin = await world.people.secondAdmin(clinic)
    const colleague = { placeholder_values: { ...VALUES, retention_years: '99' }, included_sections: ['marketing'] }
    await page.route(
      (url) => url.pathname.endsWith('/privacy-notice/publish'),
      async (route) => {
        await world.api.put(at(clinic), admin, colleague)
        await route.continue()
      },
      { times: 1 },
    )
    await page.locator('[name="placeholder_values.retention_years"]').fill('12')
    await page.getByRole('button', { name: 'Save and publish…' }).click()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    const conflict = page.getByRole('dialog', { name: 'Somebody else has saved changes' })
    await conflict.getByRole('cell', { name: '99' }).waitFor()
    await conflict.getByRole('row', { name: 'Parts that apply to your clinic' }).waitFor()
    await world.check(page)
    await checkNarrow(page)
    assert.equal(await versionOf(clinic), null)
    await conflict.getByRole('button', { name: 'Show theirs' }).click()
    assert.equal(await page.locator('[name="placeholder_values.retention_years"]').inputValue(), '99')
    assert.deepEqual(
      await page
        .getByRole('checkbox', { checked: true })
        .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
      ['marketing'],
    )
    await page.getByRole('button', { name: 'Save and publish…' }).click()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published as version 1.').waitFor()
    assert.equal((await world.api.get(at(clinic), clinic.admin)).placeholder_values.retention_years, '99')
    await page.context().close()
  })
})
