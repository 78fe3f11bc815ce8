import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clinicDay } from './clinic-day.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the main read of a page', { skip: SKIPPED }, () => {
  const world = useWorld()
  let made: ReturnType<typeof clinicDay> | undefined
  const theDay = () => (made ??= clinicDay(world))

  /** The paths of the API that a page asks from now on. */
  function readsOf(page: Page): string[] {
    const paths: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'GET' && pathname.startsWith('/v1/')) paths.push(pathname)
    })
    return paths
  }
  const countOf = (paths: readonly string[], path: string) => paths.filter((one) => one === path).length

  test('the main read of a page is sent once, by the loader of its route', async () => {
    const { clinic, maria, form, plan, runId } = await theDay()
    const { id } = maria.record
    const record = `/v1/patients/${id}`
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/calendar` })
    const reads = readsOf(page)
    for (const [path, ...expected] of [
      [`patients/${id}`, record],
      [`patients/${id}/profile`, record, `${record}/profile`],
      [`patients/${id}/conditions`, `${record}/conditions`],
      [`patients/${id}/plans/${plan.id}`, `/v1/treatment-plans/${plan.id}`],
      [`patients/${id}/forms/${form.id}`, `/v1/forms/${form.id}`],
      [`patients/${id}/consents`, `/v1/organizations/${clinic.id}/patients/${id}/consents`],
      ['settings', `/v1/organizations/${clinic.id}/settings`, `/v1/organizations/${clinic.id}`],
      ['settings/hours', '/v1/specialists', '/v1/calendars'],
      ['privacy-notice', `/v1/organizations/${clinic.id}/privacy-notice`],
      ['patients?view=portal&page=1&sort=-last_name', '/v1/patients'],
      ['settings/services', '/v1/services'],
      ['settings/exercises', '/v1/exercises'],
      ['session-runs?incomplete=no', '/v1/session-runs'],
      [`patients/${id}/sessions`, '/v1/session-runs'],
      [`patients/${id}/plans`, '/v1/treatment-plans'],
      [`patients/${id}/appointments`, '/v1/appointments'],
      [`session-runs/${runId}`, `/v1/session-runs/${runId}/timeline`],
    ]) {
      reads.length = 0
      await page.goto(`${world.services.url}/console/${clinic.slug}/${path}`)
      await world.check(page)
      for (const one of expected) assert.equal(countOf(reads, one), 1, `${one} for ${path}`)
    }
    await page.context().close()
  })

  test('the main read of a portal page is sent once, or came with the page', async () => {
    const { clinic, maria } = await theDay()
    const page = await world.open({ app: 'portal', as: maria.email, path: clinic.slug })
    const reads = readsOf(page)
    for (const [path, read, times] of [
      ['me/profile', '/v1/me/patient-records', 1],
      ['me/consents', '/v1/me/consents', 0],
    ] as const) {
      reads.length = 0
      await page.goto(`${world.services.url}/portal/${clinic.slug}/${path}`)
      await world.check(page)
      assert.equal(countOf(reads, read), times, path)
    }
    await page.context().close()
  })

  test('the main read of a list is sent once for each page and order of the list', async () => {
    const { clinic } = await theDay()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients` })
    const reads = readsOf(page)
    await page.getByRole('button', { name: 'Date of birth' }).click()
    await page.waitForURL(/sort=/)
    await world.check(page)
    assert.equal(countOf(reads, '/v1/patients'), 1)
    await page.getByRole('searchbox').fill('stan')
    await page.getByRole('link', { name: /Stan/ }).first().waitFor()
    await page.getByRole('link', { name: /Țurcanu/ }).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('the main read is sent while the file of the page is still loading', async () => {
    const { clinic, maria } = await theDay()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/calendar` })
    const held = Promise.withResolvers<void>()
    await page.route(/\/profile-tab-[^/]+\.js$/, async (route) => {
      await held.promise
      await route.continue()
    })
    const path = `/v1/patients/${maria.record.id}/profile`
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === path)
    const opened = page.goto(`${world.services.url}/console/${clinic.slug}/patients/${maria.record.id}/profile`)
    await sent
    held.resolve()
    await opened
    await page.getByRole('heading', { level: 2, name: 'Personal data' }).waitFor()
    await page.context().close()
  })

  test('nothing is read when the pointer rests on a link: a record that nobody opened was not viewed', async () => {
    const { clinic, maria } = await theDay()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/patients` })
    const reads = readsOf(page)
    const file = page.waitForRequest((request) => /\/patient-page-[^/]+\.js$/.test(request.url()))
    const link = page.getByRole('link', { name: /Stan/ }).first()
    await link.hover()
    await file
    const path = `/v1/patients/${maria.record.id}`
    assert.equal(countOf(reads, path), 0)
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Maria Stan' }).waitFor()
    assert.equal(countOf(reads, path), 1)
    await page.context().close()
  })

  test('a read that fails is shown on the page, which offers to try again', async () => {
    const { clinic, maria } = await theDay()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/calendar` })
    const path = `/v1/patients/${maria.record.id}`
    await page.route(`**${path}`, (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Try again.' } } }),
    )
    await page.goto(`${world.services.url}/console/${clinic.slug}/patients/${maria.record.id}`)
    const retry = page.getByRole('button', { name: 'Try again' }).first()
    await retry.waitFor()
    await page.getByRole('navigation').first().waitFor()
    await page.unroute(`**${path}`)
    await retry.click()
    await page.getByRole('heading', { level: 1, name: 'Maria Stan' }).waitFor()
    await page.context().close()
  })
})
