import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { intakeFormOf } from './intake-form.ts'
import { SKIPPED, useWorld } from './world.ts'

const BLACK = 'rgb(0, 0, 0)'
const WHITE = 'rgb(255, 255, 255)'

describe('portal: what is printed', { skip: SKIPPED }, () => {
  const world = useWorld()
  const view = { language: 'ro', scheme: 'dark', width: 768 } as const

  async function setUp() {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    return { clinic, email, profile: record.patient_profile_id }
  }

  /** Dark text on white paper, without what only works on a screen. */
  async function checkPaper(page: Page, text: string): Promise<void> {
    await page.emulateMedia({ media: 'print' })
    // The page itself changes to light colours, a moment later.
    await page.locator('html[data-mantine-color-scheme=light]').waitFor()
    for (const hidden of ['nav', '.skip-link', '.mantine-Button-root', '.mantine-ActionIcon-root'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
    const shown = page.locator(text).first()
    assert.equal(await shown.isVisible(), true, text)
    const colors = await shown.evaluate((element) => {
      let ground: Element | null = element
      const isClear = (one: Element) => /rgba\(.*, 0\)/.test(getComputedStyle(one).backgroundColor)
      while (ground?.parentElement && isClear(ground)) ground = ground.parentElement
      return [getComputedStyle(element).color, getComputedStyle(ground ?? document.body).backgroundColor]
    })
    assert.deepEqual(colors, [BLACK, WHITE], text)
  }

  test('a form prints its questions and answers in dark text, without buttons', async () => {
    const { clinic, email, profile } = await setUp()
    const form = await intakeFormOf(world, clinic, profile)
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/forms/${form.id}`, ...view })
    await page.locator('textarea[name]').fill('The knee hurts on stairs.')
    await page.getByText('Salvat', { exact: true }).waitFor()
    for (const text of ['h1', 'textarea[name]', '.mantine-Radio-label']) await checkPaper(page, text)
    assert.ok((await page.pdf()).length > 5_000)
    await page.context().close()
  })

  test('consents print their names, states and descriptions in dark text, without buttons', async () => {
    const { clinic, email } = await setUp()
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me/consents`, ...view })
    await page.locator('main h3').first().waitFor()
    for (const text of ['h1', 'main h3', '.mantine-Badge-root', 'main p']) await checkPaper(page, text)
    assert.ok((await page.pdf()).length > 5_000)
    await page.context().close()
  })
})
