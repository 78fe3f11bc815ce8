import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: working hours', { skip: SKIPPED }, () => {
  const world = useWorld()

  /** A clinic with one specialist, and the hours dialog of that specialist. */
  async function open(end: string, language: 'en' | 'ro' = 'en') {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    const specialist = await world.api.post('/v1/specialists', clinic.admin, {
      name: 'Ana Ionescu',
      slug: `ana-${clinic.slug}`,
      scheduling_timezone: 'Pacific/Kiritimati',
    })
    const calendar = await world.api.post('/v1/calendars', clinic.admin, {
      specialist_id: specialist.id,
      name: 'Week',
      weekly_hours: [{ weekday: 1, start: '14:00', end }],
    })
    const page = await world.open({
      app: 'console',
      as: clinic.admin,
      path: `${clinic.slug}/settings/hours`,
      language,
    })
    const change = page.getByRole('button', { name: /(Change hours|Schimbați programul): Ana Ionescu/ })
    const at = `/v1/calendars/${calendar.id}`
    const stored = async () => (await world.api.get(at, clinic.admin)).weekly_hours
    const colleague = await world.people.secondAdmin(clinic)
    const replace = (hours: object[], version: number) =>
      world.api.put(`${at}/weekly-hours`, colleague, { weekly_hours: hours, version })
    return { page, change, calendar, stored, replace }
  }

  test('when somebody else saved, their hours are shown, and the next save works', async () => {
    const { page, change, calendar, stored, replace } = await open('18:00')
    await change.click()
    const dialog = page.getByRole('dialog', { name: 'Working hours: Ana Ionescu' })
    await dialog.getByLabel('Monday: to').fill('19:00')
    await replace([{ weekday: 1, start: '14:00', end: '16:00' }], calendar.version)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('dialog', { name: 'Somebody else has saved changes' })
    await conflict.getByRole('cell', { name: '14:00–16:00' }).waitFor()
    await world.check(page)
    await conflict.getByRole('button', { name: 'Show theirs' }).click()
    await conflict.waitFor({ state: 'detached' })
    assert.equal(await dialog.getByLabel('Monday: to').inputValue(), '16:00')
    await dialog.getByLabel('Monday: to').fill('17:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.deepEqual(await stored(), [{ weekday: 1, start: '14:00', end: '17:00' }])
    await page.context().close()
  })

  test('an end at midnight is shown, an empty time is marked, and an end on the next day is named (ro)', async () => {
    const { page, change, stored } = await open('24:00', 'ro')
    await change.click()
    const dialog = page.getByRole('dialog')
    const [from, to] = [dialog.getByLabel('luni: de la'), dialog.getByLabel('luni: până la')]
    assert.equal(await to.inputValue(), '00:00')
    await dialog.getByText('(a doua zi)').waitFor()
    await from.fill('')
    await dialog.getByRole('button', { name: 'Salvați' }).click()
    await dialog.getByText('Completați ora.').waitFor()
    assert.equal(await from.getAttribute('aria-invalid'), 'true')
    await world.check(page)
    await from.fill('08:00')
    assert.equal(await dialog.getByText('Completați ora.').count(), 0)
    await dialog.getByRole('button', { name: 'Salvați' }).click()
    await page.getByText('Salvat.').waitFor()
    assert.deepEqual(await stored(), [{ weekday: 1, start: '08:00', end: '24:00' }])
    await change.click()
    await to.fill('13:00')
    assert.equal(await dialog.getByText('(a doua zi)').count(), 0)
    await to.fill('02:00')
    await dialog.getByText('(a doua zi)').waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    const remove = dialog.getByRole('button', { name: 'Eliminați orele: luni' })
    const { right } = await remove.evaluate((one) => one.getBoundingClientRect())
    assert.ok(right <= 360, `the row fits a phone: ${right}`)
    await page.context().close()
  })

  test('days off begin with the day of the specialist’s time zone', async () => {
    const { page } = await open('18:00')
    await page.clock.install({ time: new Date('2030-03-04T12:00:00Z') })
    await page.reload()
    await page.getByRole('button', { name: 'Add days off' }).click()
    assert.equal(await page.locator('[name=date]').inputValue(), '05.03.2030')
    await page.context().close()
  })

  test('on a day that the clinic is closed nothing can be booked, until the closure is removed (ro, dark, 360)', async () => {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    const { service } = await scheduleOf(world.services, clinic)
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const free = async () => {
      const query = `organization=${clinic.slug}&service_id=${service.id}&from=${day}T00:00:00Z&to=${day}T23:00:00Z`
      const read = await fetch(`${world.services.url}/v1/public/availability?${query}`)
      return (await read.json()).data.length > 0
    }
    assert.equal(await free(), true)
    const page = await world.open({
      app: 'console',
      as: clinic.admin,
      path: `${clinic.slug}/settings/hours`,
      language: 'ro',
      scheme: 'dark',
      width: 360,
    })
    const section = page.getByRole('region', { name: 'Zile în care clinica este închisă' })
    await section.getByText('Niciuna.', { exact: false }).waitFor()
    await section.getByRole('button', { name: 'Adăugați zile de închidere' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[name=date]').fill(day)
    await dialog.getByRole('button', { name: 'Salvați' }).click()
    await dialog.locator('[name=name][aria-invalid=true]').waitFor()
    await world.check(page)
    await dialog.locator('[name=name]').fill('Inventar')
    await dialog.getByRole('button', { name: 'Salvați' }).click()
    await section.getByText('Inventar').waitFor()
    assert.equal(await free(), false)
    await world.check(page)
    await checkNarrow(page)
    await page.goto(`${world.services.url}/console/${clinic.slug}/calendar?day=${day}&span=day`)
    await page.getByText(/Închis: .*Inventar/).waitFor()
    await world.check(page)
    await page.goBack()
    await section.getByRole('button', { name: 'Eliminați zilele de închidere: Inventar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Eliminați', exact: true }).click()
    await section.getByText('Niciuna.', { exact: false }).waitFor()
    assert.equal(await free(), true)
    await page.context().close()
  })
})
