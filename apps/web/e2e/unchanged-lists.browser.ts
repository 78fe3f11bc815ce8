import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { SKIPPED, useWorld } from './world.ts'

describe('a page that reads a list again and again', { skip: SKIPPED }, () => {
  const world = useWorld()

  const nextRead = (page: Page, status: number) =>
    page.waitForResponse((answer) => answer.url().includes('/v1/me/exports?') && answer.status() === status)

  test('a polling page gets 304 while nothing changes, keeps its content, and shows changes', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email } = await world.people.patient(clinic)
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me/data` })
    const ask = page.getByRole('button', { name: 'Request a copy' })
    await ask.waitFor()
    const same = await nextRead(page, 304)
    assert.equal((await same.request().sizes()).responseBodySize, 0)
    assert.equal(await ask.count(), 1)

    const changed = nextRead(page, 200)
    await world.api.post('/v1/me/export', email, {})
    await changed
    await page.getByRole('button', { name: 'Download' }).waitFor()
    await nextRead(page, 304)
    assert.equal(await page.getByRole('button', { name: 'Download' }).count(), 1)
    await world.check(page)
  })
})
