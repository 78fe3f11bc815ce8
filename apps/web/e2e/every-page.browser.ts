import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkNarrow, checkPrivate, checkTabOrder, settle } from './browser.ts'
import { clinicDay } from './clinic-day.ts'
import { fill, routesOf } from './routes.ts'
import { ALL_VIEWS, nameOf, picture, type TestView, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

// Every page of the console and the platform, from the list of routes: none can be forgotten.

/** The page at the end of a second sign-in; its window closes automatically. */
const NOT_PAGES = new Set(['signed-in'])
const pagesOf = (app: 'console' | 'platform') => routesOf(app).filter((route) => !NOT_PAGES.has(route))

describe('every page', { skip: SKIPPED }, () => {
  const world = useWorld()
  let day: Awaited<ReturnType<typeof clinicDay>> | undefined
  const theDay = async () => (day ??= await clinicDay(world))
  let exercise: { id: string } | undefined
  const theExercise = async () =>
    (exercise ??= await world.api.post('/v1/exercises', (await theDay()).clinic.admin, {
      name: 'Wall slide',
      slug: 'wall-slide',
    }))
  const NAMES = ['Stan', 'Maria', 'Țurcanu']

  async function visit(app: 'console' | 'platform', view: TestView, act: (page: Page, route: string) => Promise<void>) {
    const { clinic, maria, form, plan, runId } = await theDay()
    const exerciseId = (await theExercise()).id
    const ids = { clinic: clinic.slug, planId: plan.id, formId: form.id, runId, exerciseId }
    const values = app === 'console' ? { ...ids, id: maria.record.id } : { id: clinic.id }
    const as = app === 'console' ? clinic.admin : await world.people.operator()
    const page = await world.open({ app, as, ...view })
    for (const route of pagesOf(app)) {
      await page.goto(`${world.services.url}/${app}/${fill(route, values)}`)
      await page.locator('main h1').waitFor()
      await settle(page)
      await act(page, route)
    }
    await page.context().close()
  }

  for (const app of ['console', 'platform'] as const)
    for (const view of process.env.PICTURES ? ALL_VIEWS : VIEWS)
      test(`every page of the ${app} passes axe, fits 320 px and 200 % zoom, and keeps names out of URL, title and storage (${nameOf(view)})`, async () => {
        await visit(app, view, async (page, route) => {
          await picture(page, `${app}-${route.replaceAll(/\W+/g, '-')}`, view)
          await world.check(page)
          await checkNarrow(page)
          await checkPrivate(page, NAMES)
          const text = await page.locator('body').innerText()
          assert.doesNotMatch(text, /\b(console|ui|platform)\.\w+\.\w+/, 'a text without a translation')
        })
      })

  for (const app of ['console', 'platform'] as const)
    test(`Tab reaches every control of the ${app}, and the focus is visible`, async () => {
      await visit(app, VIEWS[3], (page) => checkTabOrder(page))
    })

  test('each page of an empty clinic explains its content and offers an action', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const page = await world.open({ app: 'console', as: clinic.admin })
    // Pages that always have content: first steps, forms to fill in, lists that the platform fills.
    const FULL =
      /^$|^\$clinic$|settings$|privacy-notice|calendar|profile|consents|access|plans\/new|patients$|\$(planId|formId|runId|exerciseId)/
    const problems: string[] = []
    for (const route of pagesOf('console').filter((one) => !FULL.test(one))) {
      await page.goto(`${world.services.url}/console/${fill(route, { clinic: clinic.slug, id: record.id })}`)
      await page.locator('main h1').waitFor()
      await settle(page)
      const empty = page.locator('[data-empty]')
      const words = (await empty.count()) === 1 ? await empty.locator('h2 + *').innerText() : ''
      const actions = await empty.locator('a, button').count()
      if (words === '' || actions !== 1) problems.push(`${route}: "${words}", ${actions} actions`)
    }
    assert.deepEqual(problems, [])
    await page.context().close()
  })
})
