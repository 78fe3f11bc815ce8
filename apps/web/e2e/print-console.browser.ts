import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clinicDay } from './clinic-day.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('console: what is printed', { skip: SKIPPED }, () => {
  const world = useWorld()

  /** Every text that is printed is dark, and its ground is white. */
  async function checkInk(page: Page): Promise<void> {
    const pale = await page.evaluate(() => {
      const partsOf = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
      const lightOf = (color: string) => {
        const [red = 0, green = 0, blue = 0] = partsOf(color)
        return (0.299 * red + 0.587 * green + 0.114 * blue) * (color.startsWith('color(') ? 255 : 1)
      }
      const isClear = (color: string) => partsOf(color).length === 4 && partsOf(color)[3] === 0
      const groundOf = (element: Element | null): string => {
        if (!element) return 'rgb(255, 255, 255)'
        const { backgroundColor } = getComputedStyle(element)
        return isClear(backgroundColor) ? groundOf(element.parentElement) : backgroundColor
      }
      const shown = [...document.body.querySelectorAll('*')].filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
          [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim() !== ''),
      )
      return shown.flatMap((element) => {
        const { color } = getComputedStyle(element)
        const ground = groundOf(element)
        return lightOf(color) < 130 && lightOf(ground) > 225
          ? []
          : [`${element.textContent?.slice(0, 40)}: ${color} on ${ground}`]
      })
    })
    assert.deepEqual(pale, [])
  }

  /** The page has drawn what it prints, a moment after the browser changed the medium. Then its colours are the light ones. */
  const printedByPage = (page: Page) => page.locator('html[data-mantine-color-scheme=light]').waitFor()

  /** How many pages are printed, and whether they are wider than high. */
  async function paperOf(page: Page): Promise<{ pages: number; wide: boolean }> {
    const text = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    const [, width = 0, height = 0] = (/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(text) ?? []).map(Number)
    return { pages: text.match(/\/Type\s*\/Page\b/g)?.length ?? 0, wide: width > height }
  }

  for (const [scheme, width] of [
    ['dark', 1440],
    ['light', 1440],
    ['dark', 900],
  ] as const)
    test(`a week prints all its days and visits, each with its whole text (${scheme}, ${width})`, async () => {
      const clinic = await world.people.clinic({ time_zone: 'Europe/Bucharest' })
      await world.people.publishNotice(clinic)
      const schedule = await scheduleOf(world.services, clinic)
      const { record } = await world.people.patient(clinic, { first: 'Maria', last: 'Constantinescu-Brâncoveanu' })
      const monday = new Date(Date.now() + 7 * 86_400_000)
      monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
      for (let day = 0; day < 7; day++)
        for (const hour of [4, 8, 9, 19]) {
          const at = new Date(monday.getTime() + day * 86_400_000)
          at.setUTCHours(hour, 0, 0, 0)
          await world.api.post('/v1/appointments', clinic.admin, {
            service_id: schedule.service.id,
            specialist_id: schedule.specialists[0]?.id,
            patient_id: record.id,
            starts_at: at.toISOString(),
          })
        }
      const path = `${clinic.slug}/calendar?day=${monday.toISOString().slice(0, 10)}`
      const page = await world.open({ app: 'console', as: clinic.admin, path, scheme, width })
      await page
        .getByRole('link', { name: /Constantinescu/ })
        .first()
        .waitFor()
      await page.emulateMedia({ media: 'print', colorScheme: scheme })
      await page.setViewportSize({ width: 1040, height: 720 })
      await printedByPage(page)
      await page.locator('section[aria-label]').nth(6).waitFor()
      const printed = await page.evaluate(() => {
        const { right: pageRight } = document.documentElement.getBoundingClientRect()
        return [...document.querySelectorAll('main section')].map((day) => {
          const { left, right } = day.getBoundingClientRect()
          const cards = [...day.querySelectorAll('a')]
          const boxes = cards.map((card) => card.getBoundingClientRect())
          return {
            isOnPaper: left >= 0 && right <= pageRight + 1,
            cards: cards.length,
            // The text of a card is not cut, and no card covers another.
            isWhole: cards.every((card) =>
              [...card.children].every((part) => part.scrollHeight <= part.clientHeight + 1),
            ),
            isBelow: boxes.every((box, place) => place === 0 || box.top >= (boxes[place - 1]?.bottom ?? 0) - 1),
          }
        })
      })
      const whole = { isOnPaper: true, cards: 4, isWhole: true, isBelow: true }
      assert.deepEqual(
        printed,
        Array.from({ length: 7 }, () => whole),
      )
      await checkInk(page)
      const { pages, wide } = await paperOf(page)
      assert.deepEqual([pages, wide], [1, true])
      await page.context().close()
    })

  test('a plan prints sessions, exercises and doses, not the editor; unsaved changes are named', async () => {
    const { clinic, maria, plan } = await clinicDay(world)
    const path = `${clinic.slug}/patients/${maria.record.id}/plans/${plan.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path, scheme: 'dark' })
    await page.locator('[name=title]').waitFor()
    const { sessions, title } = await world.api.get(`/v1/treatment-plans/${plan.id}`, clinic.specialist)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const paper = page.locator('article[data-paper]')
    await paper.getByRole('heading', { name: title }).waitFor()
    for (const { title: name, exercises } of sessions) {
      await paper.getByRole('heading', { name }).first().waitFor()
      for (const { exercise, sets } of exercises)
        await paper
          .getByRole('listitem')
          .filter({ hasText: exercise.name })
          .filter({ hasText: `${sets} set` })
          .first()
          .waitFor()
    }
    for (const field of await page.locator('main').locator('input, select, textarea, button').all())
      assert.equal(await field.isVisible(), false)
    await checkInk(page)
    assert.equal(await paper.getByText(/changes that are not saved/).count(), 0)
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await paper.waitFor({ state: 'detached' })
    await page.locator('[name=title]').fill('Another title')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await paper.getByRole('heading', { name: 'Another title' }).waitFor()
    await paper.getByText(/changes that are not saved/).waitFor()
    assert.ok((await paperOf(page)).pages >= 1)
    await page.context().close()
  })

  test('the browser’s own print command shows the plan and light colours while it prints, and then the editor', async () => {
    const { clinic, maria, plan } = await clinicDay(world)
    const path = `${clinic.slug}/patients/${maria.record.id}/plans/${plan.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path, scheme: 'dark' })
    await page.locator('[name=title]').waitFor()
    const scheme = () => document.documentElement.dataset.mantineColorScheme
    assert.equal(await page.evaluate(scheme), 'dark')
    await page.evaluate(() =>
      addEventListener('beforeprint', () => {
        const { dataset } = document.documentElement
        dataset.printed = `${document.querySelectorAll('[data-paper]').length} ${dataset.mantineColorScheme}`
      }),
    )
    await page.pdf()
    assert.equal(await page.evaluate(() => document.documentElement.dataset.printed), '1 light')
    await page.locator('[data-paper]').waitFor({ state: 'detached' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await page.context().close()
  })
})
