import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { newContext } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('security of the web', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('scripts cannot read the session token, and no storage contains it', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    const cookies = await page.context().cookies(world.services.url)
    const session = cookies.find(({ name }) => name === 'tendon_console')
    assert.ok(session?.httpOnly && session.sameSite === 'Lax')
    const readable = await page.evaluate(async () => {
      const databases = await indexedDB.databases()
      const html = document.documentElement.outerHTML
      return JSON.stringify([
        document.cookie,
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        databases,
        html,
      ])
    })
    assert.ok(!readable.includes(session.value))
  })

  test('a page of another site can neither read nor write with the person’s cookie', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    const before = await world.api.get('/v1/me', clinic.admin)
    const foreign = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Evil</title><h1>Evil</h1>')
    })
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
    // localhost and 127.0.0.1 are different sites.
    const url = `http://localhost:${(foreign.address() as AddressInfo).port}/`
    const evil = await page.context().newPage()
    await evil.goto(url)
    const outcomes = await evil.evaluate(async (core) => {
      const tries: [string, RequestInit][] = [
        ['/v1/me', { credentials: 'include' }],
        ['/v1/me', { credentials: 'include', headers: { 'x-tendon-web': 'console' } }],
        [
          '/v1/me',
          {
            method: 'PATCH',
            credentials: 'include',
            headers: { 'x-tendon-web': 'console' },
            body: '{"name":"Mallory"}',
          },
        ],
        ['/auth/sign-out', { method: 'POST', credentials: 'include', mode: 'no-cors' }],
        ['/v1/me/sessions', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{}' }],
      ]
      return Promise.all(
        tries.map(([path, init]) =>
          fetch(core + path, init).then(
            (response) => `${response.type} ${response.status}`,
            () => 'refused',
          ),
        ),
      )
    }, world.services.url)
    assert.deepEqual(outcomes, ['refused', 'refused', 'refused', 'refused', 'refused'])
    assert.deepEqual(await world.api.get('/v1/me', clinic.admin), before)
    await page.reload()
    await page.locator('h1').first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Sign in' }).count(), 0, 'still signed in')
    await page.getByRole('button', { name: /Account/ }).waitFor()
    foreign.closeAllConnections()
    foreign.close()
  })

  test('two clinics in two tabs do not affect each other', async () => {
    const one = await world.people.clinic({ name: 'Clinica Unu' })
    const two = await world.people.clinic({ name: 'Clinica Doi' })
    const by = await world.people.operator()
    const roles: { id: string; code: string }[] = await world.api.get(`/v1/organizations/${two.id}/roles`, by)
    const role_id = roles.find(({ code }) => code === 'specialist')?.id
    await world.api.post(`/v1/organizations/${two.id}/members`, by, { email: one.specialist, role_id })
    const first = await world.open({ app: 'console', as: one.specialist, path: one.slug })
    const second = await first.context().newPage()
    await second.goto(`${world.services.url}/console/${two.slug}`)
    await second.getByRole('button', { name: 'Clinic: Clinica Doi' }).waitFor()
    const organizationsOf = async (page: typeof first) =>
      page.evaluate(async () => {
        const link = document.querySelector<HTMLAnchorElement>('nav a')
        return link?.getAttribute('href')
      })
    assert.match(String(await organizationsOf(first)), new RegExp(one.slug))
    assert.match(String(await organizationsOf(second)), new RegExp(two.slug))
    await first.reload()
    await first.getByRole('button', { name: 'Clinic: Clinica Unu' }).waitFor()
    await first.getByRole('button', { name: /Account/ }).click()
    await first.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    await world.check(first)
    const asked = first.waitForRequest((request) => request.method() === 'PATCH')
    await first.getByRole('button', { name: 'Română' }).click()
    const headers = (await asked).headers()
    assert.equal(headers['x-organization-id'], one.id)
  })

  test('signing out ends the session in all tabs of the app, and in no other app', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email } = await world.people.patient(clinic)
    const by = await world.people.operator()
    const roles: { id: string; code: string }[] = await world.api.get(`/v1/organizations/${clinic.id}/roles`, by)
    await world.api.post(`/v1/organizations/${clinic.id}/members`, by, {
      email,
      role_id: roles.find(({ code }) => code === 'specialist')?.id,
    })
    const page = await world.open({ app: 'console', as: email, path: clinic.slug })
    const other = await page.context().newPage()
    await other.goto(`${world.services.url}/console/${clinic.slug}`)
    await other.locator('main h1').waitFor()
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await other.getByRole('link', { name: 'Sign in' }).waitFor()
    // The identity provider asks to end its own session; the console's session has already ended.
    await page.waitForURL((url) => url.origin === new URL(world.services.config.issuer).origin)
    const status = await other.evaluate(
      async () => (await fetch('/v1/me', { headers: { 'x-tendon-web': 'console' } })).status,
    )
    assert.equal(status, 401)
  })

  test('when the session ends, the page asks to sign in again, keeps typed text, and continues', async () => {
    const operator = await world.people.operator()
    const page = await world.open({ app: 'platform', as: operator })
    await page.getByRole('button', { name: 'New organization' }).first().click()
    await page.locator('dialog [name=name]').fill('Kept Clinic')
    const slug = `kept-${Date.now().toString(36)}`
    await page.locator('dialog [name=slug]').fill(slug)
    await world.services.database.query(`delete from web_sessions where app = 'platform'`, [])
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const again = page.getByRole('button', { name: 'Sign in again' })
    await again.waitFor()
    await world.check(page)
    const popup = page.waitForEvent('popup')
    await again.click()
    const window = await popup
    // The identity provider still has a session: it redirects back at once or asks.
    await Promise.race([
      window.waitForEvent('close'),
      window
        .locator('#email')
        .waitFor()
        .then(() => world.approve(window, operator)),
    ]).catch(() => undefined)
    await page.getByRole('heading', { level: 1, name: 'Kept Clinic' }).waitFor()
  })

  test('a portal session cannot open staff pages, and a console session cannot open the platform', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email } = await world.people.patient(clinic)
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug })
    const statuses = await page.evaluate(async (id) => {
      const headers = { 'x-tendon-web': 'portal', 'x-organization-id': id }
      const paths = ['/v1/patients', '/v1/treatment-plans', `/v1/organizations/${id}/members`, '/v1/organizations']
      return Promise.all(paths.map(async (path) => (await fetch(path, { headers })).status))
    }, clinic.id)
    assert.deepEqual(statuses.slice(0, 3), [403, 403, 403])
    const staff = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    await staff.goto(`${world.services.url}/platform/`)
    await staff.getByRole('link', { name: 'Sign in' }).waitFor()
    const refused = await staff.evaluate(
      async () => (await fetch('/v1/me', { headers: { 'x-tendon-web': 'platform' } })).status,
    )
    assert.equal(refused, 401)
  })

  test('the content security policy blocks an injected script, an inline handler and a request to another site', async () => {
    const clinic = await world.people.clinic()
    const context = await newContext(world.browser)
    const page = await context.newPage()
    await page.goto(`${world.services.url}/console/${clinic.slug}`)
    await page.locator('h1').waitFor()
    const outcome = await page.evaluate(async () => {
      const results: string[] = []
      try {
        document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="globalThis.hacked=1">')
        results.push('html written')
      } catch {
        results.push('html refused')
      }
      try {
        const script = document.createElement('script')
        script.text = 'globalThis.hacked = 2'
        document.body.append(script)
      } catch {
        results.push('script refused')
      }
      results.push(
        await fetch('https://example.com/').then(
          () => 'sent',
          () => 'fetch refused',
        ),
      )
      results.push(String((globalThis as { hacked?: number }).hacked))
      return results
    })
    assert.deepEqual(outcome, ['html refused', 'script refused', 'fetch refused', 'undefined'])
    await context.close()
  })
})
