import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
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

  /** What the page saved of Today, as text; undefined as long as it saved nothing. */
  const keptToday = (page: Page) =>
    page.evaluate(async () => {
      // The page opens the database before it saves anything; opening it here first would create it without its store.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'tendon-today')) return undefined
      return new Promise<string | undefined>((resolve, reject) => {
        const opened = indexedDB.open('tendon-today')
        opened.addEventListener('error', () => reject(opened.error))
        opened.addEventListener('success', () => {
          const read = opened.result.transaction('today').objectStore('today').get('last')
          read.addEventListener('success', () => {
            opened.result.close()
            resolve(JSON.stringify(read.result))
          })
        })
      })
    })

  /**
   * Waits until the service worker answers for the page, has cached the files, and the page has saved Today.
   * waitForFunction() calls a function that returns a promise only once, so the test itself asks again.
   */
  const readyForOffline = (page: Page) =>
    until(async () => {
      const isCached = await page.evaluate(async () => {
        if (navigator.serviceWorker.controller?.state !== 'activated') return false
        const names = await caches.keys()
        const files = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))
        return files.some((count) => count > 5)
      })
      return isCached && (await keptToday(page)) !== undefined
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
      await page.getByText(ro ? 'Nu aveți conexiune' : 'You are offline').waitFor()
      // Translations of services are not saved.
      await page.getByText('Initial assessment').waitFor()
      await world.check(page)
      await picture(page, 'offline', view)
      await page.context().setOffline(false)
      // Without a reload.
      await page.getByText(ro ? 'Nu aveți conexiune' : 'You are offline').waitFor({ state: 'detached' })
      await page.getByText(service).waitFor()
      await page.context().close()
    })
  }

  test('Today opens after an update of the app that was not used yet', async () => {
    const { clinic, email } = await patientWithVisit()
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    await page.getByText('Initial assessment').waitFor()
    await readyForOffline(page)
    // The next version of the worker, which finds none of the files of the version before.
    const kept = await page.evaluate(async () => {
      for (const name of await caches.keys()) await caches.delete(name)
      const { installing } = await navigator.serviceWorker.register('/portal/worker.js?next', { scope: '/portal/' })
      await new Promise<void>((resolve) => {
        installing?.addEventListener('statechange', () => installing.state === 'activated' && resolve())
      })
      const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    // Not left to the browser's own cache, which may drop them.
    for (const file of ['index', 'first', 'texts-en', 'texts-ro', 'today-page'])
      assert.ok(
        kept.some((path) => path.startsWith(`/portal/assets/${file}-`)),
        file,
      )
    await page.context().setOffline(true)
    await page.goto(`${world.services.url}/portal/${clinic.slug}`)
    await page.getByText('You are offline').waitFor()
    await page.getByText('Initial assessment').waitFor()
    await page.context().close()
  })

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
      return { urls, html }
    })
    const today = await keptToday(page)
    for (const url of kept.urls) assert.match(url, /^\/portal\/(assets\/.*|pose\/.*|)$/)
    assert.match(String(today), /Initial assessment/)
    for (const secret of ['Bradeanu', 'Ioana', email]) {
      assert.ok(!today?.includes(secret), `${secret} is kept`)
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
