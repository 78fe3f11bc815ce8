import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('dialogs', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function openVisit(language: 'en' | 'ro' = 'en') {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { service, specialists } = await scheduleOf(world.services, clinic, { names: ['Ana Ionescu'] })
    const { record } = await world.people.patient(clinic)
    const day = new Date(Date.now() + 2 * 86_400_000)
    day.setUTCHours(10, 0, 0, 0)
    const visit = await world.api.post('/v1/appointments', clinic.admin, {
      service_id: service.id,
      specialist_id: specialists[0]?.id,
      patient_id: record.id,
      starts_at: day.toISOString(),
    })
    const path = `${clinic.slug}/patients/${record.id}/appointments?visit=${visit.id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path, language })
    return { clinic, visit, page, panel: page.getByRole('dialog', { name: /Initial assessment|Evaluare inițială/ }) }
  }

  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

  test('Escape closes only the inner dialog, asks before a typed reason is lost, and it is empty when it opens again', async () => {
    const { page, panel } = await openVisit()
    const notes = panel.getByLabel('Notes of the clinic')
    const cancelling = page.getByRole('dialog', { name: 'Cancel this visit?' })
    const cancelVisit = panel.getByRole('button', { name: 'Cancel the visit' }).first()
    await notes.fill('Bring the scan.')
    await cancelVisit.click()
    await cancelling.getByLabel('Reason').fill('Ill')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await cancelling.getByLabel('Reason').inputValue(), 'Ill')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Leave without saving' }).click()
    await cancelling.waitFor({ state: 'detached' })
    assert.equal(await notes.inputValue(), 'Bring the scan.')

    await cancelVisit.click()
    assert.equal(await cancelling.getByLabel('Reason').inputValue(), '')
    await page.context().setOffline(true)
    await cancelling.getByRole('button', { name: 'Cancel the visit' }).click()
    await cancelling.getByRole('alert').waitFor()
    await page.context().setOffline(false)
    await cancelling.getByRole('button', { name: 'Keep the visit' }).click()
    await cancelVisit.click()
    await cancelling.getByLabel('Reason').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.keyboard.press('Escape')

    // The browser sends this event when the file chooser is closed without a file.
    await panel.locator('input[type=file]').dispatchEvent('cancel', { bubbles: true })
    assert.equal(await notes.inputValue(), 'Bring the scan.')
    assert.equal(await question(page).count(), 0)
    await page.context().close()
  })

  test('nothing around a dialog hears that its form is sent', async () => {
    const { page, panel } = await openVisit()
    await page.evaluate(() => document.addEventListener('submit', () => (document.body.dataset.heard = 'true')))
    await panel.getByRole('button', { name: 'Cancel the visit' }).first().click()
    const cancelling = page.getByRole('dialog', { name: 'Cancel this visit?' })
    await cancelling.getByRole('button', { name: 'Cancel the visit' }).click()
    await cancelling.waitFor({ state: 'detached' })
    assert.equal(await page.locator('[data-heard]').count(), 0)
    await page.context().close()
  })

  test('a visit with unsaved notes asks before it closes; a selection that ends beside it does not close it', async () => {
    const { page, panel, visit } = await openVisit()
    const notes = panel.getByLabel('Notes of the clinic')
    const beside = { x: 20, y: 300 }
    await notes.fill('Bring the scan.')
    await notes.hover()
    await page.mouse.down()
    await page.mouse.move(beside.x, beside.y)
    await page.mouse.up()
    assert.equal(await question(page).count(), 0)

    const ways = {
      escape: () => page.keyboard.press('Escape'),
      'escape without any input since the last one': () => page.keyboard.press('Escape'),
      'close button': () => panel.getByRole('button', { name: 'Close' }).click(),
      'click beside the panel': () => page.mouse.click(beside.x, beside.y),
      'link to the patient': () => panel.getByRole('link', { name: 'Maria Stan' }).click(),
    }
    const stay = async () => {
      await question(page).getByText('The changes to this visit are not saved. Discard them?').waitFor()
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      await question(page).waitFor({ state: 'detached' })
    }
    for (const [name, leave] of Object.entries(ways)) {
      await leave()
      await stay()
      await page.waitForFunction(() => document.querySelector('dialog')?.matches(':modal'))
      assert.equal(await notes.inputValue(), 'Bring the scan.', name)
      assert.ok(page.url().includes(visit.id), name)
    }

    await panel.getByRole('button', { name: 'Move' }).click()
    const moving = page.getByRole('dialog', { name: 'Move the visit' })
    await moving.getByLabel('Day').fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10))
    await moving.getByRole('group', { name: 'Free times' }).getByRole('button').first().click()
    await moving.getByRole('button', { name: 'Move' }).click()
    await stay()
    await moving.waitFor({ state: 'detached' })
    assert.equal(await notes.inputValue(), 'Bring the scan.')

    await page.mouse.click(beside.x, beside.y)
    await question(page).getByRole('button', { name: 'Leave without saving' }).click()
    await panel.waitFor({ state: 'detached' })
    assert.ok(!page.url().includes(visit.id))
    await page.context().close()
  })

  test('download and deletion of a file that was deleted meanwhile say so, and the next question shows no error (ro)', async () => {
    const { clinic, visit, page, panel } = await openVisit('ro')
    await panel
      .locator('input[type=file]')
      .setInputFiles({ name: 'trimitere.txt', mimeType: 'text/plain', buffer: Buffer.from('Genunchi') })
    await panel.getByText('trimitere.txt').waitFor()
    const [file] = await world.api.get(`/v1/appointments/${visit.id}/files`, clinic.admin)
    await world.services.database.query('delete from appointment_files where id = $1', [file.id])
    await panel.getByRole('button', { name: 'Descărcați: trimitere.txt' }).click()
    await panel.getByRole('alert').waitFor()
    const remove = panel.getByRole('button', { name: 'Ștergeți: trimitere.txt' })
    const asking = page.getByRole('dialog', { name: 'Ștergeți acest fișier?' })
    await remove.click()
    await asking.getByRole('button', { name: 'Ștergeți' }).click()
    await asking.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await remove.click()
    await asking.getByRole('button', { name: 'Ștergeți' }).waitFor()
    assert.equal(await asking.getByRole('alert').count(), 0)
    await page.context().close()
  })

  test('a role that only manages working hours reaches them from the menu; a deletion shows that it is under way', async () => {
    const clinic = await world.people.clinic()
    await scheduleOf(world.services, clinic, { names: ['Ana Ionescu'] })
    const [calendar] = await world.api.get('/v1/calendars', clinic.admin)
    const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await world.api.post(`/v1/calendars/${calendar.id}/overrides`, clinic.admin, {
      date,
      windows: [],
      reason: 'Course',
    })
    const role = await world.api.post(`/v1/organizations/${clinic.id}/roles`, clinic.admin, {
      name: 'Planner',
      permissions: ['calendars.view_org', 'calendars.manage', 'specialists.view_org'],
    })
    const planner = world.people.newEmail('planner')
    await world.api.post(`/v1/organizations/${clinic.id}/members`, clinic.admin, { email: planner, role_id: role.id })

    const page = await world.open({ app: 'console', as: planner, path: clinic.slug })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Working hours' }).click()
    const remove = page.getByRole('button', { name: `Remove days off: ${date}` })
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/calendars/*/overrides/*', async (route) => {
      await held.promise
      await route.continue()
    })
    await remove.click()
    const asking = page.getByRole('dialog', { name: 'Remove days off' })
    await asking.getByRole('button', { name: 'Remove', exact: true }).click()
    await asking.locator('button[data-loading]:disabled').waitFor()
    held.resolve()
    await remove.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a service shows its own currency; a refused save focuses the first field with a problem', async () => {
    const clinic = await world.people.clinic()
    await scheduleOf(world.services, clinic, { service: { currency: 'EUR' }, names: [] })
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/settings/services` })
    await page.getByRole('button', { name: 'Initial assessment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Initial assessment' })
    await dialog.getByText('In EUR.', { exact: false }).waitFor()
    await dialog.getByLabel('In the clinic').uncheck()
    await dialog.getByLabel('Price').fill('-1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.waitForFunction(() => document.activeElement?.matches('[type=checkbox][name=modes]'))
    await world.check(page)
    await page.context().close()
  })

  test('the texts of the consent gate can be read in another language', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email } = await world.people.patient(clinic, { consents: false })
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    await page.getByRole('dialog', { name: 'Before you continue' }).getByRole('button', { name: 'Română' }).click()
    const gate = page.getByRole('dialog', { name: 'Înainte de a continua' })
    await gate.waitFor()
    await world.check(page)
    assert.equal(await gate.getByRole('checkbox').first().isChecked(), false)
    await page.context().close()
  })

  test('Escape never closes the consent gate of the portal', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email } = await world.people.patient(clinic, { consents: false })
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    await page.getByRole('dialog').waitFor()
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.querySelector('dialog')?.matches(':modal'))
    }
    await page.context().close()
  })
})
