import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { scheduleOf } from './scheduling.ts'
import { nameOf, picture, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('portal: without a connection', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function patientWithVisit() {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const schedule = await scheduleOf(world.services, clinic)
    const { email, record } = await world.people.patient(clinic, { first: 'Ioana', last: 'Bradeanu' })
    const day = new Date(Date.now() + 5 * 86_400_000)
    day.setUTCHours(8, 0, 0, 0)
    await world.api.post('/v1/appointments', clinic.admin, {
      service_id: schedule.service.id,
      specialist_id: schedule.specialists[0]?.id,
      patient_id: record.id,
      mode: 'in_person',
      starts_at: day.toISOString(),
    })
    return { clinic, email }
  }

  /** Waits until the service worker has cached the files and the page has saved Today. */
  const readyForOffline = (page: Page) =>
    page.waitForFunction(async () => {
      const names = await caches.keys()
      const files = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))
      const databases = await indexedDB.databases()
      return files.some((count) => count > 5) && databases.some(({ name }) => name === 'tendon-today')
    })

  for (const view of VIEWS.filter(({ width }) => width === 360)) {
    const ro = view.language === 'ro'
    test(`Today opens and shows when it was saved (${nameOf(view)})`, async () => {
      const { clinic, email } = await patientWithVisit()
      const page = await world.open({ app: 'portal', as: email, path: clinic.slug, ...view })
      const service = ro ? 'Evaluare inițială' : 'Initial assessment'
      await page.getByText(service).waitFor()
      await readyForOffline(page)
      await page.context().setOffline(true)
      await page.goto(`${world.services.url}/portal/${clinic.slug}`)
      await page.getByText(ro ? 'Ești fără conexiune' : 'You are offline').waitFor()
      // Translations of services are not saved.
      await page.getByText('Initial assessment').waitFor()
      await world.check(page)
      await picture(page, 'offline', view)
      await page.context().setOffline(false)
      await page.reload()
      await page.getByText(service).waitFor()
      assert.equal(await page.getByText(ro ? 'Ești fără conexiune' : 'You are offline').count(), 0)
      await page.context().close()
    })
  }

  test('no API response is cached, the person’s name is not saved, and sign-out removes Today', async () => {
    const { clinic, email } = await patientWithVisit()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    await page.getByText('Initial assessment').waitFor()
    await readyForOffline(page)
    const kept = await page.evaluate(async () => {
      const urls: string[] = []
      let html = ''
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys()) {
          urls.push(new URL(request.url).pathname)
          if (request.url.endsWith('/portal/')) html = await ((await caches.match(request)) as Response).text()
        }
      const today = await new Promise<unknown>((resolve, reject) => {
        const opened = indexedDB.open('tendon-today')
        opened.addEventListener('error', () => reject(opened.error))
        opened.addEventListener('success', () => {
          const read = opened.result.transaction('today').objectStore('today').get('last')
          read.addEventListener('success', () => {
            opened.result.close()
            resolve(read.result)
          })
        })
      })
      return { urls, html, today: JSON.stringify(today) }
    })
    for (const url of kept.urls) assert.match(url, /^\/portal\/(assets\/.*|pose\/.*|)$/)
    assert.match(kept.today, /Initial assessment/)
    for (const secret of ['Bradeanu', 'Ioana', email]) {
      assert.ok(!kept.today.includes(secret), `${secret} is kept`)
      assert.ok(!kept.html.includes(secret), `${secret} is in the kept page`)
    }
    await page.getByRole('button', { name: /Account of/ }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL((url) => url.origin === new URL(world.services.config.issuer).origin)
    await page.goto(`${world.services.url}/portal/`)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    const left = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    assert.ok(!left.includes('tendon-today'))
  })
})
