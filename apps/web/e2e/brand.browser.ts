import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { localTokens } from '../../../scripts/start/api.ts'
import type { TestClinic } from './people.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

const VIEWS = [
  { language: 'en', scheme: 'light', width: 360 },
  { language: 'ro', scheme: 'light', width: 360 },
  { language: 'ro', scheme: 'dark', width: 1440 },
] as const

describe("portal: the clinic's brand", { skip: SKIPPED }, () => {
  const world = useWorld()

  async function brandOf(clinic: TestClinic, color: string): Promise<void> {
    const { config, url } = world.services
    const authorization = `Bearer ${await localTokens(config, () => undefined)(clinic.admin)}`
    const background = { r: 30, g: 60, b: 160 }
    const logo = await sharp({ create: { width: 240, height: 120, channels: 3, background } })
      .png()
      .toBuffer()
    const file = new FormData()
    file.set('file', new Blob([new Uint8Array(logo)], { type: 'image/png' }), 'logo.png')
    const answers = [
      await fetch(`${url}/v1/organizations/${clinic.id}/settings`, {
        method: 'PATCH',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ brand_color: color }),
      }),
      await fetch(`${url}/v1/organizations/${clinic.id}/logo`, {
        method: 'POST',
        headers: { authorization },
        body: file,
      }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 201],
    )
  }

  const colorOf = (page: Page, name: string) =>
    page.evaluate((variable) => getComputedStyle(document.documentElement).getPropertyValue(variable), name)
  /** Waits for the picture; one that cannot be shown is an error. */
  const isLoaded = (page: Page) =>
    page
      .locator('img')
      .first()
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0))

  for (const view of VIEWS)
    test(`sign-in and booking show logo, name and colour of the clinic (${view.language}, ${view.scheme}, ${view.width})`, async () => {
      const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
      await scheduleOf(world.services, clinic)
      await brandOf(clinic, view.scheme === 'light' ? '#b4531a' : '#1d4ed8')
      const page = await world.open({ app: 'portal', path: clinic.slug, ...view })
      await page.getByRole('heading', { level: 1, name: 'Clinica Mlădița' }).waitFor()
      assert.equal(await isLoaded(page), true)
      assert.notEqual(await colorOf(page, '--mantine-color-tendon-8'), '#096a54')
      await world.check(page)
      const isCut = await page
        .locator('main a span')
        .evaluateAll((texts) => texts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1))
      assert.equal(isCut, false, 'the text of a button is cut')
      await page.getByRole('link', { name: view.language === 'en' ? 'Book' : 'Programare' }).click()
      await page.waitForURL(`**/${clinic.slug}/book`)
      await page.getByText('Clinica Mlădița').first().waitFor()
      assert.equal(await isLoaded(page), true)
      await world.check(page)
    })

  test('a signed-in patient sees the same brand, with links and chosen entries that can be read', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const clinic = await world.people.clinic()
      await world.people.publishNotice(clinic)
      await brandOf(clinic, '#8a1c7c')
      const { email } = await world.people.patient(clinic)
      const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me`, scheme, width: 360 })
      await page.locator('header img').waitFor()
      assert.notEqual(await colorOf(page, '--mantine-color-tendon-8'), '#096a54')
      await world.check(page)
    }
  })

  test('a clinic without a brand keeps the colours of the platform', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'portal', path: clinic.slug })
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await colorOf(page, '--mantine-color-tendon-8'), '#096a54')
  })
})
