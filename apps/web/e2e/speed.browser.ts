import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

// Largest contentful paint depends on the machine: it is printed, and bounded with SPEED=required on a quiet machine.

const MAX_LAYOUT_SHIFT = 0.05
const MAX_PAINT_MS = { local: 500, 'slow 4G': 2_000 }
const isBounded = process.env.SPEED === 'required'
/** Slow 4G as Lighthouse emulates it. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 }

interface Paint {
  lcpMs: number
  shift: number
  /** What moved, for the message of a failure. */
  moved: string[]
}

/** A response that core has written into the page. */
interface WrittenRead {
  route: string
  params?: Record<string, string>
}

interface LayoutShift extends PerformanceEntry {
  value: number
  sources: { node: Node | null }[]
}

const paintOf = (page: Page): Promise<Paint> =>
  page.evaluate(
    () =>
      new Promise<Paint>((resolve) => {
        const paint: Paint = { lcpMs: 0, shift: 0, moved: [] }
        const isShift = (entry: PerformanceEntry): entry is LayoutShift => entry.entryType === 'layout-shift'
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) paint.lcpMs = entry.startTime
        }).observe({ type: 'largest-contentful-paint', buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries().filter(isShift)) {
            paint.shift += entry.value
            paint.moved.push(...entry.sources.map(({ node }) => `${entry.value.toFixed(3)} ${node?.textContent ?? ''}`))
          }
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(paint), 300)
      }),
  )

describe('portal: speed', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function measure(t: TestContext, page: Page, path: string, ready: (page: Page) => Promise<unknown>) {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await session.send('Network.setBypassServiceWorker', { bypass: true })
    for (const [name, conditions] of [
      ['local', { ...SLOW_4G, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }],
      ['slow 4G', SLOW_4G],
    ] as const) {
      await session.send('Network.emulateNetworkConditions', conditions)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto(`${world.services.url}/portal/${path}`)
      await ready(page)
      page.removeAllListeners('request')
      // Core has written these into the page: see build/first-pages.ts.
      const written = await page.locator('#reads').textContent()
      for (const { route, params = {} } of JSON.parse(written ?? '[]') as WrittenRead[]) {
        const read = route.replace('GET ', '').replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
        assert.ok(!asked.includes(read), `${path} asks for ${read} again`)
      }
      const { lcpMs, shift, moved } = await paintOf(page)
      t.diagnostic(`${name}: largest paint ${(lcpMs / 1000).toFixed(2)} s, layout shift ${shift.toFixed(3)}`)
      if (isBounded) assert.ok(lcpMs < MAX_PAINT_MS[name], `${path}, ${name}: largest paint after ${lcpMs} ms`)
      assert.ok(shift < MAX_LAYOUT_SHIFT, `${path} shifts by ${shift}: ${moved.join('; ')}`)
    }
    await page.context().close()
  }

  test('the sign-in page of a clinic is shown in time', async (t) => {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
    const page = await world.open({ app: 'portal', width: 360 })
    await measure(t, page, clinic.slug, (opened) => opened.getByRole('heading', { name: 'Clinica Mlădița' }).waitFor())
  })

  test('the free times of the booking page are shown in time', async (t) => {
    const clinic = await world.people.clinic()
    const { service } = await scheduleOf(world.services, clinic)
    const page = await world.open({ app: 'portal', width: 360 })
    await measure(t, page, `${clinic.slug}/book?service=${service.id}`, (opened) =>
      // The page opens on the first day with free times, and the hours of today that have passed are not among them.
      opened
        .getByRole('button', { name: /^\d\d:00$/ })
        .first()
        .waitFor(),
    )
  })

  for (const [name, path, text] of [
    ['Today', '', 'Nothing to do today'],
    ['visits', '/visits', 'No appointments yet'],
    ['forms', '/forms', 'No forms yet'],
    ['consents', '/me/consents', 'Terms of the platform'],
  ] as const)
    test(`the page “${name}” is shown in time`, async (t) => {
      const clinic = await world.people.clinic()
      await world.people.publishNotice(clinic)
      const { email } = await world.people.patient(clinic)
      const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
      await measure(t, page, `${clinic.slug}${path}`, (opened) => opened.getByText(text).first().waitFor())
    })
})
