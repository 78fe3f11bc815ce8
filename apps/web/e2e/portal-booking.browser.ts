import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holdAt, scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('portal: choices while booking', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function setUp(service: object = {}) {
    const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
    await world.people.publishNotice(clinic)
    return { clinic, ...(await scheduleOf(world.services, clinic, { service })) }
  }

  test('a chosen location does not limit the times of video visits', async () => {
    const { clinic, service } = await setUp({ modes: ['in_person', 'video'] })
    for (const name of ['Centre', 'North'])
      await world.api.post(`/v1/organizations/${clinic.id}/locations`, clinic.admin, { name })
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${service.id}` })
    // The specialists work at no location, so nothing is free in the centre.
    await page.getByLabel('Where').selectOption({ label: 'Centre' })
    await page.getByRole('heading', { name: 'No free times on these days' }).waitFor()
    await page.getByLabel('How').selectOption('video')
    await page.getByRole('group', { name: 'Choose a day' }).waitFor()
    await world.check(page)
    await page.context().close()
  })

  test('a link with a mode and a specialist that the service does not offer shows all its times', async () => {
    const { clinic, service, specialists } = await setUp()
    const [ana, andrei] = specialists
    const massage = await world.api.post('/v1/services', clinic.admin, {
      name: 'Massage',
      duration_minutes: 30,
      specialist_ids: [andrei?.id],
    })
    const search = `service=${massage.id}&specialist=${ana?.id}&mode=video`
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?${search}` })
    await page.getByRole('group', { name: 'Choose a day' }).getByRole('button').nth(2).click()
    await page.getByRole('button', { name: '10:00' }).click()
    await page.getByText('With Andrei Popescu').waitFor()
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.getByRole('button', { name: 'Choose another service' }).click()
    await page.getByRole('link', { name: service.name }).waitFor()
    await page.context().close()
  })

  test('after a reload the held time is free again, and neither forward nor back leads to it', async () => {
    const { clinic, service } = await setUp()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${service.id}` })
    const days = page.getByRole('group', { name: 'Choose a day' })
    const hold = async () => {
      await days.getByRole('button').nth(2).click()
      await page.getByRole('button', { name: '10:00' }).click()
      await page.getByRole('button', { name: 'Choose another time' }).waitFor()
    }
    const isFree = () => page.waitForURL((url) => !url.searchParams.has('slot'))
    await hold()
    await page.reload()
    await days.waitFor()
    await isFree()
    await hold()
    await page.goBack()
    await days.waitFor()
    await page.goForward()
    await isFree()
    await days.waitFor()
    await page.context().close()
  })

  test('back to the free times on a slow line, the time that was held is one of them', async () => {
    const { clinic, service, specialists } = await setUp()
    const search = `service=${service.id}&specialist=${specialists[0]?.id}`
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?${search}` })
    await page.route('**/v1/public/holds/*', async (route) => {
      if (route.request().method() === 'DELETE') await new Promise((done) => setTimeout(done, 1_000))
      await route.continue()
    })
    await page.getByRole('group', { name: 'Choose a day' }).getByRole('button').nth(2).click()
    await page.getByRole('button', { name: '10:00' }).click()
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.getByRole('button', { name: '11:00' }).waitFor()
    assert.equal(await page.getByRole('button', { name: '10:00' }).count(), 1)
    await page.context().close()
  })

  test('after a reload the held time is offered again, also when its release did not reach the server', async () => {
    const { clinic, service, specialists } = await setUp()
    const search = `service=${service.id}&specialist=${specialists[0]?.id}`
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?${search}` })
    await page.getByRole('group', { name: 'Choose a day' }).getByRole('button').nth(2).click()
    await page.getByRole('button', { name: '10:00' }).click()
    await page.getByRole('button', { name: 'Choose another time' }).waitFor()
    await page.evaluate(() => {
      const send = window.fetch
      window.fetch = (input, init) => (init?.keepalive ? new Promise(() => undefined) : send(input, init))
    })
    await page.reload()
    await page.getByRole('button', { name: '10:00' }).waitFor()
    await page.context().close()
  })

  test('a visit of an archived service cannot be moved online, and the page says so (ro)', async () => {
    const { clinic, service, specialists } = await setUp()
    const { email, record } = await world.people.patient(clinic)
    await world.api.post('/v1/services', clinic.admin, { name: 'Massage', duration_minutes: 30 })
    const visit = await world.api.post('/v1/appointments', clinic.admin, {
      service_id: service.id,
      specialist_id: specialists[0]?.id,
      patient_id: record.id,
      starts_at: holdAt(clinic, { service, specialists }).starts_at,
      status: 'confirmed',
    })
    const { version } = await world.api.get(`/v1/services/${service.id}`, clinic.admin)
    await world.api.patch(`/v1/services/${service.id}`, clinic.admin, { status: 'archived', version })
    const path = `${clinic.slug}/visits/${visit.id}/move`
    const page = await world.open({ app: 'portal', as: email, path, language: 'ro', width: 360 })
    await page.getByRole('heading', { name: 'Această programare nu poate fi mutată online' }).waitFor()
    await world.check(page)
    await page.context().close()
  })
})
