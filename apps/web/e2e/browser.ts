import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findChromium, until } from '@tendon/testing'
import { type Browser, type BrowserContext, chromium, errors, type Page, type Request } from 'playwright-core'

export interface View {
  language?: 'en' | 'ro'
  scheme?: 'light' | 'dark'
  width?: number
  height?: number
}

const FLAGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
]
const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export function launch(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('BROWSER_TESTS=required, but there is no Chromium (CHROMIUM_PATH).')
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
}

export async function newContext(browser: Browser, view: View = {}): Promise<BrowserContext> {
  const { language = 'en', scheme = 'light', width = 1440, height = 900 } = view
  const context = await browser.newContext({
    locale: language === 'ro' ? 'ro-RO' : 'en-GB',
    timezoneId: 'Europe/Bucharest',
    colorScheme: scheme,
    viewport: { width, height },
    isMobile: width < 500,
    hasTouch: width < 500,
    reducedMotion: 'reduce',
    bypassCSP: false,
  })
  context.on('page', followTraffic)
  return context
}

/** Console lines that the browser writes for refused requests and lost connections. They are not errors of the page. */
const EXPECTED_LINE = /^Failed to load resource: .*(status of 4\d\d|status of 503|ERR_INTERNET_DISCONNECTED)/

/** Collects what a page must never do. `check` reports it. */
export function watch(page: Page, origins: readonly string[]): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !EXPECTED_LINE.test(text)) problems.push(`console: ${text}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin)) problems.push(`foreign host: ${url.origin}`)
  })
  return problems
}

interface Traffic {
  open: Set<Request>
  begun: number
  changedAt: number
}

const traffics = new WeakMap<Page, Traffic>()
const QUIET_MS = 100
const STUCK_MS = 30_000

function followTraffic(page: Page): void {
  const traffic: Traffic = { open: new Set(), begun: 0, changedAt: performance.now() }
  traffics.set(page, traffic)
  page.on('request', (request) => {
    traffic.open.add(request)
    traffic.begun += 1
    traffic.changedAt = performance.now()
  })
  const end = (request: Request) => {
    traffic.open.delete(request)
    traffic.changedAt = performance.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

const trafficOf = (page: Page): Traffic => {
  const traffic = traffics.get(page)
  assert.ok(traffic, 'newContext did not make this page')
  return traffic
}

/**
 * A wait whose deadline follows the page: it fails when two whole deadlines pass in which the page loads nothing. On a busy
 * machine one can pass while the page runs what it has loaded.
 */
export async function whileLoading<Result>(page: Page, wait: () => Promise<Result>): Promise<Result> {
  const traffic = trafficOf(page)
  let wasQuiet = false
  for (;;) {
    const before = traffic.changedAt
    try {
      return await wait()
    } catch (error) {
      const isQuiet = traffic.changedAt === before
      if (!(error instanceof errors.TimeoutError) || (isQuiet && wasQuiet)) throw error
      wasQuiet = isQuiet
    }
  }
}

/**
 * The page has loaded everything: no request is open, nothing is marked as busy, and no task of the page starts another
 * request. Playwright's `networkidle` waits for half a second without requests instead.
 */
export async function settle(page: Page): Promise<void> {
  const traffic = trafficOf(page)
  const silentMs = () => performance.now() - traffic.changedAt
  let begun = -1
  while (begun !== traffic.begun) {
    begun = traffic.begun
    await until(() => silentMs() > (traffic.open.size === 0 ? QUIET_MS : STUCK_MS), Number.POSITIVE_INFINITY)
    const stuck = silentMs() > STUCK_MS ? [...traffic.open].map((request) => request.url()) : []
    assert.deepEqual(stuck, [], `requests that got nothing for ${STUCK_MS} ms`)
    const busy = page.locator('[aria-busy=true]').first()
    await whileLoading(page, () => busy.waitFor({ state: 'detached' }))
    // With a timeout: on a busy machine an animation leaves no idle time.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 1_000 })))
  }
}

let pictures = 0

/** With SCREENSHOTS=<folder>, saves a screenshot of every checked page. */
async function picture(page: Page): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  const name = new URL(page.url()).pathname
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|clinic-\w+/g, '')
    .replaceAll(/\W+/g, '-')
  pictures += 1
  await page.screenshot({ path: join(folder, `${String(pictures).padStart(3, '0')}${name}.png`), fullPage: true })
}

declare global {
  interface Window {
    axe: typeof import('axe-core')
  }
}

/** axe finds nothing, and nothing scrolls sideways. */
export async function checkPage(page: Page): Promise<void> {
  await whileLoading(page, () => page.locator('h1').first().waitFor())
  // Rows are dimmed while the next ones load.
  await page.locator('[data-waiting="true"]').waitFor({ state: 'detached' })
  await picture(page)
  await page.evaluate(await axeSource)
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${node.html.slice(0, 200)}\n    ${node.failureSummary ?? ''}`).join('\n  ')}`,
    )
  })
  assert.deepEqual(found, [], `axe on ${page.url()}`)
  await checkWidth(page)
  await checkHeight(page)
}

export async function checkWidth(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => {
    const scrolled = [document.documentElement, ...document.querySelectorAll('#content')]
    return Math.max(...scrolled.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
  })
  assert.ok(overflow <= 1, `${page.url()} scrolls sideways by ${overflow} px`)
}

/** The document ends where its last visible element and the padding of its body end. */
export async function checkHeight(page: Page): Promise<void> {
  const empty = await page.evaluate(() => {
    const bottoms = [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 1)
      .map((element) => element.getBoundingClientRect().bottom + scrollY)
    const { scrollHeight, clientHeight } = document.documentElement
    const { paddingBottom, marginBottom } = getComputedStyle(document.body)
    const content = Math.max(...bottoms) + Number.parseFloat(paddingBottom) + Number.parseFloat(marginBottom)
    return scrollHeight - Math.max(clientHeight, content)
  })
  assert.ok(empty <= 1, `${page.url()} scrolls ${empty} px into an empty screen`)
}

/** No text of the page's content is cut at 320 px: it wraps, or there is room for it. */
export async function checkWords(page: Page): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  const cut = await page.evaluate(() => {
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '')
    return [...document.querySelectorAll('#content *')]
      .filter((element) => hasText(element) && element.checkVisibility() && element.clientWidth > 1)
      .filter((element) => ['hidden', 'clip'].includes(getComputedStyle(element).overflowX))
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent)
  })
  assert.deepEqual(cut, [], `${page.url()} cuts words at 320 px`)
  if (before) await page.setViewportSize(before)
}

/** The page at 320 px and at 200 % zoom of a 1280 px window (640 CSS pixels). */
export async function checkNarrow(page: Page): Promise<void> {
  const before = page.viewportSize()
  for (const width of [320, 640]) {
    await page.setViewportSize({ width, height: 800 })
    await checkWidth(page)
  }
  if (before) await page.setViewportSize(before)
}

/** Presses Tab until the focused element matches, as a person without a mouse would. */
export async function tabTo(page: Page, selector: string, most = 60): Promise<void> {
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return
  }
  throw new Error(`Tab does not reach ${selector} on ${page.url()}`)
}

interface Reached {
  missed: string[]
  invisible: string[]
}

/** Tab reaches every control of the page once, in one round, and each shows that it has the focus. */
export async function checkTabOrder(page: Page): Promise<void> {
  const count = await page.evaluate(() => {
    const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true })
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
    const tabbable = controls.filter((one) => isShown(one) && one.tabIndex >= 0 && !one.matches(':disabled'))
    // Of a group of radios, Tab reaches one; arrow keys do the rest.
    const groups = new Set<string>()
    for (const control of tabbable) {
      const isRadio = control instanceof HTMLInputElement && control.type === 'radio'
      if (isRadio && groups.has(control.name)) continue
      if (isRadio) groups.add(control.name)
      control.dataset.tabbable = 'true'
    }
    return document.querySelectorAll('[data-tabbable]').length
  })
  for (let pressed = 0; pressed < count + 10; pressed++) {
    await page.keyboard.press('Tab')
    await page.evaluate(() => {
      const focused = document.activeElement
      if (!(focused instanceof HTMLElement) || focused === document.body) return
      const { outlineStyle, boxShadow } = getComputedStyle(focused)
      const isVisible = outlineStyle !== 'none' || boxShadow !== 'none'
      // The parts of a date are one control, and not each of them matches :focus-visible.
      if (focused.dataset.tabbable !== 'reached') focused.dataset.tabbable = isVisible ? 'reached' : 'invisible'
      if (focused instanceof HTMLInputElement && focused.type === 'radio')
        for (const other of document.getElementsByName(focused.name)) delete other.dataset.tabbable
    })
  }
  const reached = await page.evaluate((): Reached => {
    const words = (of: Element) => of.outerHTML.slice(0, 160)
    const found = (state: string) => [...document.querySelectorAll(`[data-tabbable=${state}]`)].map(words)
    return { missed: found('true'), invisible: found('invisible') }
  })
  assert.deepEqual(reached, { missed: [], invisible: [] }, page.url())
}

/** Names of people must be in no URL, no title and no storage. */
export async function checkPrivate(page: Page, names: readonly string[]): Promise<void> {
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.title,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
    ]),
  )
  for (const name of names) assert.ok(!kept.toLowerCase().includes(name.toLowerCase()), `${name} in ${kept}`)
}
