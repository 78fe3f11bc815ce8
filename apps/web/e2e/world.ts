import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { checkPage, launch, newContext, type View, watch, whileLoading } from './browser.ts'
import { SKIPPED } from './chromium.ts'
import { peopleOf } from './people.ts'
import { startServices, type WebServices } from './services.ts'

export type App = 'console' | 'portal' | 'platform'

export interface Visit extends View {
  app: App
  /** E-mail of the person who signs in; left out: nobody. */
  as?: string
  /** Path below the app, such as `${clinic.slug}/patients`. */
  path?: string
}

/**
 * Services and a browser for the tests of one file. Use it inside `describe(name, { skip: SKIPPED }, …)`. Every page that was
 * opened is checked at the end: no console error, no request to a foreign host.
 */
export function useWorld(options: { flags?: readonly string[]; env?: Record<string, string> } = {}) {
  let services: WebServices
  let browser: Browser
  let people: ReturnType<typeof peopleOf>
  const watched: string[][] = []

  before(async () => {
    if (SKIPPED) return
    ;[services, browser] = await Promise.all([startServices(options.env), launch(options.flags)])
    people = peopleOf(services)
  })
  after(async () => {
    await browser?.close()
    await services?.close()
    assert.deepEqual(watched.flat(), [], 'what no page may do')
  })

  /** A new browser profile with one page, signed in if wanted. */
  async function open({ app, as, path = '', ...view }: Visit): Promise<Page> {
    const language = view.language ?? 'en'
    const context = await newContext(browser, view)
    if (as !== undefined) await services.api.patch('/v1/me', as, { preferred_language: language })
    await context.addCookies([{ name: 'language', value: language, url: services.url }])
    const page = await context.newPage()
    const { config } = services
    watched.push(
      watch(
        page,
        [services.url, config.issuer, config.telemetryUrl].map((url) => new URL(url).origin),
      ),
    )
    const url = `${services.url}/${app}/${path}`
    if (as === undefined) await load(page, url)
    else await signIn(page, app, as, `/${app}/${path}`)
    return page
  }

  async function load(page: Page, url: string): Promise<void> {
    await page.goto(url, { waitUntil: 'commit' })
    await whileLoading(page, () => page.waitForLoadState())
  }

  async function signIn(page: Page, app: App, email: string, to = `/${app}/`): Promise<void> {
    const query = new URLSearchParams({ app, to })
    await load(page, `${services.url}/auth/sign-in?${query.toString()}`)
    await approve(page, email)
    await whileLoading(page, () => page.waitForURL((url) => url.pathname.startsWith(`/${app}`)))
    await whileLoading(page, () => page.locator('h1').first().waitFor())
  }

  /** The page of the identity provider. */
  async function approve(page: Page, email: string): Promise<void> {
    await whileLoading(page, () => page.locator('#email').waitFor())
    await page.locator('#email').fill(email)
    await page.locator('button.main').click()
  }

  return {
    open,
    signIn,
    approve,
    check: checkPage,
    get services() {
      return services
    },
    get people() {
      return people
    },
    get browser() {
      return browser
    },
    get api() {
      return services.api
    },
  }
}

export { SKIPPED }
