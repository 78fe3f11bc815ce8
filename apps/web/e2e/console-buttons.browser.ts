import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SKIPPED, useWorld } from './world.ts'

describe('console: buttons', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('the words of a link that looks like a button are in its middle', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    for (const width of [1440, 360]) {
      const path = `${clinic.slug}/patients/${record.id}`
      const page = await world.open({ app: 'console', as: clinic.specialist, path, width })
      const distance = await page
        .getByRole('link', { name: 'New plan' })
        .first()
        .evaluate((link) => {
          const middleOf = (element: Element) => {
            const { top, bottom } = element.getBoundingClientRect()
            return (top + bottom) / 2
          }
          const words = link.querySelector('.mantine-Button-label')
          return words === null ? Number.NaN : Math.abs(middleOf(link) - middleOf(words))
        })
      assert.ok(distance < 1, `at ${width} px the words are ${distance} px beside the middle`)
      await page.context().close()
    }
  })
})
