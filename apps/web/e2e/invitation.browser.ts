import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { mailTo } from './mails.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('invitations', { skip: SKIPPED }, () => {
  const world = useWorld()

  const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

  /** A browser in English that was never here, at the link of a Romanian mail. */
  async function follow(app: 'portal' | 'console', link: string): Promise<Page> {
    const page = await world.open({ app, language: 'en' })
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto(link)
    return page
  }

  test('the invitation of a patient opens the clinic’s own page in the mail’s language, with the address filled in', async () => {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița', language_code: 'ro' })
    await world.people.publishNotice(clinic)
    const email = world.people.newEmail('patient+1')
    await world.api.post('/v1/patients', clinic.admin, { first_name: 'Ana', last_name: 'Stan', email, invite: true })
    const mail = await mailTo(world.services, email, 'patient_invited')
    assert.equal(mail.language, 'ro')
    const page = await follow('portal', linkIn(mail.text))
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.url()} ${request.headers().referer ?? ''}`))
    await page.getByRole('heading', { level: 1, name: 'Clinica Mlădița' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'ro')
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, `/portal/${clinic.slug}`)
    await world.check(page)
    await page.getByRole('link', { name: 'Intrați în cont' }).click()
    await page.locator('#email').waitFor()
    assert.equal(await page.locator('#email').inputValue(), email)
    // Only the identity provider reads the address in a URL.
    const own = asked.filter((line) => line.startsWith(world.services.url))
    for (const line of own) assert.ok(!decodeURIComponent(line).includes(email), line)
    await page.locator('button.main').click()
    await page.waitForURL((url) => url.pathname === `/portal/${clinic.slug}`)
    await page.getByRole('dialog').waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'ro')
    const kept = await page.evaluate(() =>
      JSON.stringify([document.cookie, Object.entries(sessionStorage), Object.entries(localStorage)]),
    )
    assert.ok(!kept.includes(email), kept)
  })

  test('the invitation of a member opens the console of the clinic that invites, with the address filled in', async () => {
    const clinic = await world.people.clinic({ language_code: 'ro' })
    const mail = await mailTo(world.services, clinic.specialist, 'member_invited')
    const page = await follow('console', linkIn(mail.text))
    await page.getByRole('link', { name: 'Intrați în cont' }).click()
    await page.locator('#email').waitFor()
    assert.equal(await page.locator('#email').inputValue(), clinic.specialist)
    await page.locator('button.main').click()
    await page.waitForURL((url) => url.pathname === `/console/${clinic.slug}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'ro')
  })

  test('a link of another site can only suggest an address: nobody is signed in, nothing of it is shown', async () => {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
    const page = await world.open({ app: 'portal', path: `${clinic.slug}#email=call+0900+now&language=xx` })
    await page.getByRole('heading', { level: 1, name: 'Clinica Mlădița' }).waitFor()
    assert.equal(await page.getByText('0900').count(), 0)
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.locator('#email').waitFor()
    assert.equal(await page.locator('#email').inputValue(), '')
  })
})
