import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkNarrow, settle } from './browser.ts'
import { holdAt, scheduleOf } from './scheduling.ts'
import { picture } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('visits in a calendar app', { skip: SKIPPED }, () => {
  const world = useWorld()

  const linkIn = (page: Page) => page.getByRole('dialog').locator('input[readonly]').inputValue()
  /** The path only: the address of the test's server is not the public one. */
  const read = async (link: string) => {
    const answer = await fetch(world.services.url + new URL(link).pathname)
    return { status: answer.status, text: await answer.text() }
  }

  test('a patient creates, replaces and turns off the link to their visits (ro, dark, 360)', async () => {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
    await world.people.publishNotice(clinic)
    const schedule = await scheduleOf(world.services, clinic)
    const { email, record } = await world.people.patient(clinic)
    const { service_id, starts_at } = holdAt(clinic, schedule)
    const specialist_id = schedule.specialists[0]?.id
    const visit = { service_id, specialist_id, patient_id: record.id, starts_at }
    await world.api.post('/v1/appointments', clinic.admin, visit)
    const view = { language: 'ro', scheme: 'dark', width: 360 } as const
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, ...view })
    await page.getByRole('button', { name: 'Afișați în aplicația de calendar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Creați un link' }).click()
    await dialog.getByText('Este afișat doar acum.').waitFor()
    await world.check(page)
    await checkNarrow(page)
    await picture(page, 'calendar-link', view)
    const first = await linkIn(page)
    const file = await read(first)
    assert.equal(file.status, 200)
    assert.match(file.text, /BEGIN:VEVENT[^]*SUMMARY:\w+\\, Clinica/)
    const href = await dialog.getByRole('link').getAttribute('href')
    assert.equal(href, first.replace(/^https?:/, 'webcal:'))
    await dialog.getByRole('button', { name: 'Copiați' }).click()
    await dialog.getByRole('button', { name: 'Copiat' }).waitFor()

    await dialog.getByRole('button', { name: 'Înlocuiți linkul' }).click()
    await page.waitForFunction((old) => document.querySelector<HTMLInputElement>('dialog input')?.value !== old, first)
    await dialog.locator('input[readonly]').waitFor()
    const second = await linkIn(page)
    assert.deepEqual([(await read(first)).status, (await read(second)).status], [404, 200])

    await dialog.getByRole('button', { name: 'Dezactivați linkul' }).click()
    await dialog.getByText('Linkul nu mai funcționează.').waitFor()
    assert.equal((await read(second)).status, 404)
    await dialog.getByRole('button', { name: 'Dezactivați linkul' }).click()
    await dialog.getByText('Nu există niciun link de dezactivat.').waitFor()
    await page.context().close()
  })

  test('somebody who manages specialists chooses one of them; a specialist gets the link to their own visits', async () => {
    const clinic = await world.people.clinic()
    const { specialists } = await scheduleOf(world.services, clinic)
    const path = `${clinic.slug}/calendar`
    const admin = await world.open({ app: 'console', as: clinic.admin, path })
    await admin.getByRole('button', { name: 'Show in my calendar app' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('Specialist').selectOption(specialists[1]?.name ?? '')
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    await dialog.getByText('It is shown only now.').waitFor()
    await world.check(admin)
    assert.equal((await read(await linkIn(admin))).status, 200)
    await dialog.getByLabel('Specialist').selectOption(specialists[0]?.name ?? '')
    // The link of another specialist is not shown.
    await dialog.locator('input[readonly]').waitFor({ state: 'detached' })
    await admin.context().close()

    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    await page.getByRole('heading', { name: 'Calendar' }).waitFor()
    await page.getByText('Europe/', { exact: false }).first().waitFor()
    await settle(page)
    assert.equal(await page.getByRole('button', { name: 'Show in my calendar app' }).count(), 0)
    const { principal_id } = await world.api.get('/v1/me', clinic.specialist)
    const { name, slug, scheduling_timezone } = await world.api.get(
      `/v1/specialists/${specialists[0]?.id}`,
      clinic.admin,
    )
    const own = { name, slug, scheduling_timezone, human_id: principal_id }
    await world.api.put(`/v1/specialists/${specialists[0]?.id}`, clinic.admin, own)
    await page.reload()
    await page.getByRole('button', { name: 'Show in my calendar app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a link' }).click()
    await page.getByText('It is shown only now.').waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Specialist').count(), 0)
    await page.context().close()
  })
})
