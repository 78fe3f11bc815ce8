import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow, checkPrivate, whileLoading } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the web, in a browser', { skip: SKIPPED }, () => {
  const world = useWorld()

  for (const app of ['console', 'portal', 'platform'] as const)
    test(`a person signs in to the ${app}, the page passes axe, and a reload keeps the person signed in`, async () => {
      const clinic = await world.people.clinic()
      await world.people.publishNotice(clinic)
      const as =
        app === 'console'
          ? clinic.specialist
          : app === 'portal'
            ? (await world.people.patient(clinic)).email
            : await world.people.operator()
      const page = await world.open({ app })
      await world.check(page)
      await page.getByRole('link', { name: 'Sign in' }).click()
      await world.approve(page, as)
      await whileLoading(page, () => page.waitForURL(`**/${app}/**`))
      const heading = page.locator('main h1')
      await whileLoading(page, () => heading.waitFor())
      await world.check(page)
      await checkNarrow(page)
      await page.reload({ waitUntil: 'commit' })
      await whileLoading(page, () => heading.waitFor())
      assert.equal(await page.getByRole('link', { name: 'Sign in' }).count(), 0)
      const readable = await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])
      assert.doesNotMatch(String(readable[0]), /tendon/)
      await checkPrivate(page, ['Stan'])
      await page.context().close()
    })

  test('with reduced motion a change of colour shows at once', async () => {
    const page = await world.open({ app: 'console' })
    const signIn = page.getByRole('link', { name: 'Sign in' })
    await whileLoading(page, () => signIn.waitFor())
    const shown = await signIn.evaluate((link) => {
      link.style.color = 'rgb(1, 2, 3)'
      return getComputedStyle(link).color
    })
    assert.equal(shown, 'rgb(1, 2, 3)')
    await page.context().close()
  })
})
