import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the frame of the console', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function clinicWithPatients() {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const add = (first_name: string, last_name: string, phone: string) =>
      world.api.post('/v1/patients', clinic.admin, { first_name, last_name, phone, birth_date: '1961-04-12' })
    await add('Maria', 'Stan', '+40722000111')
    await add('Maria', 'Stancu', '+40722555010')
    return clinic
  }

  test('the palette finds a patient by digits of the phone, and Enter opens the record before the answer has come', async () => {
    const clinic = await clinicWithPatients()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('option', { name: 'Calendar' }).waitFor()
    await world.check(page)
    await page.keyboard.type('555010')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Maria Stancu' }).waitFor()
    assert.equal(await palette.count(), 0)
    await page.keyboard.press('Control+k')
    await palette.getByRole('option', { name: 'Maria Stancu' }).waitFor()
    await page.keyboard.type('maria')
    const options = palette.getByRole('option')
    await options.nth(1).waitFor()
    assert.equal(await options.filter({ hasText: '12 Apr 1961' }).count(), 2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page
      .getByRole('heading', { level: 1, name: 'Maria Stan', exact: true })
      .or(page.getByRole('heading', { level: 1, name: 'Maria Stancu' }))
      .waitFor()
  })

  test('the palette opens pages and the form for a new patient, says when it finds nothing, and closes with Escape (ro, dark, 360)', async () => {
    const clinic = await clinicWithPatients()
    const page = await world.open({
      app: 'console',
      as: clinic.specialist,
      path: clinic.slug,
      language: 'ro',
      scheme: 'dark',
      width: 360,
    })
    const open = async () => {
      await page.getByRole('button', { name: 'Căutare' }).click()
      await page.locator('input[role=combobox]:focus').waitFor()
    }
    await open()
    await page.keyboard.type('sedin')
    await page.getByRole('option', { name: 'Ședințe' }).waitFor()
    await world.check(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ședințe acasă' }).waitFor()
    await open()
    await page.keyboard.type('zzzz')
    await page.getByText('Niciun rezultat pentru „zzzz”.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await open()
    await page.getByRole('option', { name: 'Pacient nou' }).click()
    await page.getByRole('dialog').getByLabel('Prenume').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Pacienți' }).waitFor()
  })

  test('Enter in the search of a list opens the first row of what was typed', async () => {
    const clinic = await clinicWithPatients()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: `${clinic.slug}/patients` })
    await page.getByRole('link', { name: 'Maria Stancu' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('stancu')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Maria Stancu' }).waitFor()
  })

  test('on a phone the bar has three pages, and the others are under "More"; a tablet has names below the icons', async () => {
    const clinic = await clinicWithPatients()
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug, width: 360 })
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const names = () => pages.getByRole('link').allTextContents()
    await pages.getByRole('link', { name: 'Today' }).waitFor()
    assert.deepEqual(await names(), ['Today', 'Calendar', 'Patients'])
    await pages.getByRole('button', { name: 'More' }).click()
    await world.check(page)
    await pages.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
    assert.deepEqual(await names(), ['Today', 'Calendar', 'Patients'])
    await checkNarrow(page)
    await page.setViewportSize({ width: 1000, height: 800 })
    assert.ok((await names()).includes('Settings'))
    await world.check(page)
  })

  test('the name of the clinic opens the others where the person works; the next visit starts at the one that was chosen', async () => {
    const first = await clinicWithPatients()
    const second = await world.people.clinic({ name: 'Clinica Nord' })
    const operator = await world.people.operator()
    const roles: { id: string; code: string }[] = await world.api.get(`/v1/organizations/${second.id}/roles`, operator)
    await world.api.post(`/v1/organizations/${second.id}/members`, operator, {
      email: first.specialist,
      role_id: roles.find(({ code }) => code === 'specialist')?.id,
    })
    const page = await world.open({ app: 'console', as: first.specialist, path: first.slug })
    await page.getByRole('button', { name: 'Clinic: Clinica Test' }).click()
    await world.check(page)
    await page.getByRole('link', { name: 'Clinica Nord' }).click()
    await page.waitForURL((url) => url.pathname.startsWith(`/console/${second.slug}`))
    await page.getByRole('button', { name: 'Clinic: Clinica Nord' }).waitFor()
    await page.goto(`${world.services.url}/console/`)
    await page.waitForURL((url) => url.pathname.startsWith(`/console/${second.slug}`))
    await page.getByRole('button', { name: 'Clinic: Clinica Nord' }).click()
    await page.getByRole('button', { name: 'Leave this clinic' }).click()
    await page.getByRole('dialog', { name: 'Leave Clinica Nord?' }).waitFor()
    await world.check(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Leave this clinic' }).click()
    await page.waitForURL((url) => url.pathname.startsWith(`/console/${first.slug}`))
  })

  test('g and a second key open a page, and the keys are listed with the names of the pages', async () => {
    const clinic = await clinicWithPatients()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { level: 1, name: 'Patients' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('row', { name: /g\s*s\s*Sessions/ }).waitFor()
    await world.check(page)
  })
})
