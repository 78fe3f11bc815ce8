import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: input that is not saved', { skip: SKIPPED }, () => {
  const world = useWorld()
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

  test('Escape in "Add a condition" asks when something was typed, and only then', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const path = `${clinic.slug}/patients/${record.id}/conditions`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    const add = page.getByRole('button', { name: 'Add a condition' }).first()
    const dialog = page.getByRole('dialog', { name: 'Add a condition' })
    await add.click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    const ways = {
      note: () => dialog.locator('[name=note]').fill('Since the fall.'),
      search: () => dialog.getByRole('textbox').first().fill('knee'),
      clearance: () => dialog.getByRole('checkbox').first().check(),
    }
    for (const [name, type] of Object.entries(ways)) {
      await add.click()
      await type()
      await page.keyboard.press('Escape')
      await question(page).waitFor()
      if (name === 'note') {
        await world.check(page)
        await page.keyboard.press('Escape')
        await question(page).waitFor({ state: 'detached' })
        assert.equal(await dialog.locator('[name=note]').inputValue(), 'Since the fall.')
        await dialog.getByRole('button', { name: 'Close' }).click()
      }
      await question(page).getByRole('button', { name: 'Leave without saving' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await add.click()
    assert.equal(await dialog.locator('[name=note]').inputValue(), '')
    await page.context().close()
  })

  test('on the privacy notice a reload, a link and Back ask before typed text is lost', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    await page.locator('[href$="/privacy-notice"]').first().click()
    const name = page.locator('[name="placeholder_values.legal_name"]')
    await name.click()
    await page.keyboard.type('Mlădița Medical SRL')
    const typed = await name.inputValue()
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => setTimeout(() => location.reload()))
    const reload = await asked
    assert.equal(reload.type(), 'beforeunload')
    await reload.dismiss()
    assert.equal(await name.inputValue(), typed)

    // Somebody else saves, and the page reads the notice again: what is typed here stays.
    const at = `/v1/organizations/${clinic.id}/privacy-notice`
    await world.api.put(at, clinic.admin, { placeholder_values: { legal_name: 'Theirs SRL' }, included_sections: [] })
    await page.clock.setSystemTime(Date.now() + 60_000)
    const read = page.waitForResponse((response) => response.url().endsWith(at))
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await (await read).finished()
    const leave = page.getByRole('navigation').getByRole('link').first()
    for (const way of [() => page.goBack(), () => leave.click()]) {
      await way()
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      await question(page).waitFor({ state: 'detached' })
      // After Back the address returns only when the question is answered.
      await page.waitForURL(/\/privacy-notice$/)
      assert.equal(await name.inputValue(), typed)
    }
    await leave.click()
    await question(page).getByRole('button', { name: 'Leave without saving' }).click()
    await name.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('every form of the console asks before typed text is lost by Escape, a link or Back', async () => {
    const clinic = await world.people.clinic({ plan: 'pro' })
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    await scheduleOf(world.services, clinic, { names: ['Ana Ionescu'] })
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    const at = (path: string) => page.goto(`${world.services.url}/console/${clinic.slug}/${path}`)
    const stays = async () => {
      await question(page).getByRole('button', { name: 'Keep editing' }).click()
      await question(page).waitFor({ state: 'detached' })
    }
    const leaves = () => question(page).getByRole('button', { name: 'Leave without saving' }).click()

    const dialogs = {
      patients: { opens: 'New patient', types: () => page.locator('[name=first_name]').fill('Ion') },
      'settings/services': {
        opens: 'Initial assessment',
        types: () => page.locator('[name=name]').fill('Taping'),
      },
      'settings/exercises': { opens: 'New exercise', types: () => page.locator('dialog [name=name]').fill('Plank') },
      'settings/hours': {
        opens: 'Add closed days',
        types: () => page.locator('dialog [name=name]').fill('Inventory'),
      },
    }
    for (const [path, { opens, types }] of Object.entries(dialogs)) {
      await at(path)
      await page.getByRole('button', { name: opens }).first().click()
      const dialog = page.locator('dialog[open]')
      await types()
      await page.keyboard.press('Escape')
      await stays()
      assert.equal(await dialog.count(), 1, path)
      await page.keyboard.press('Escape')
      await leaves()
      await dialog.waitFor({ state: 'detached' })
    }

    const fields = {
      settings: '[name=brand_color]',
      [`patients/${record.id}/profile`]: '[name=notes]',
      [`patients/${record.id}/plans/new?sessions=1`]: '[name=title]',
    }
    for (const [path, field] of Object.entries(fields)) {
      await at(path)
      await page.locator(field).fill('typed')
      await page.getByRole('link', { name: 'Today' }).first().click()
      await stays()
      assert.equal(await page.locator(field).inputValue(), 'typed', path)
      await page.getByRole('link', { name: 'Today' }).first().click()
      await leaves()
      await page.locator(field).waitFor({ state: 'detached' })
    }
    await page.context().close()
  })
})
