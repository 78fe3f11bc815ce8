import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { pages } from '../console/pages.ts'
import { settle } from './browser.ts'
import type { TestClinic } from './people.ts'
import { SKIPPED, useWorld } from './world.ts'

const REFUSED = 'You have no permission for this page'
const REFUSED_TAB = 'You have no permission for this tab'

describe('what a role opens in the console', { skip: SKIPPED }, () => {
  const world = useWorld()

  /** E-mail of a member whose role has only these permissions. */
  async function memberWith(clinic: TestClinic, permissions: readonly string[]): Promise<string> {
    const name = `Only ${randomUUID().slice(0, 8)}`
    const role = await world.api.post(`/v1/organizations/${clinic.id}/roles`, clinic.admin, { name, permissions })
    const email = world.people.newEmail('only')
    await world.api.post(`/v1/organizations/${clinic.id}/members`, clinic.admin, { email, role_id: role.id })
    return email
  }

  /** Opens every page of the list: those that are offered without a refused request, the others name what is missing. */
  async function walk(page: Page, clinic: TestClinic, may: (permission: string) => boolean, who: string) {
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${who}: ${new URL(response.url()).pathname}`)
    })
    for (const { path, anyOf, ...needs } of pages) {
      const allOf: readonly string[] = 'allOf' in needs ? needs.allOf : []
      await page.goto(`${world.services.url}/console${path.replace('/$clinic', `/${clinic.slug}`)}`)
      await page.locator('h1').first().waitFor()
      await settle(page)
      const refusals = await page
        .getByRole('heading', { name: REFUSED })
        .or(page.getByRole('heading', { name: REFUSED_TAB }))
        .count()
      assert.equal(refusals, (anyOf.length === 0 || anyOf.some(may)) && allOf.every(may) ? 0 : 1, `${who}: ${path}`)
    }
    assert.deepEqual(refused, [])
  }

  test('admin and specialist open all that they are offered, and everything else names the missing permission', async () => {
    const clinic = await world.people.clinic()
    for (const email of [clinic.admin, clinic.specialist]) {
      const page = await world.open({ app: 'console', as: email, path: clinic.slug })
      const { permissions }: { permissions: string[] } = await world.api.get('/v1/me', email)
      await walk(page, clinic, (one) => permissions.includes('*') || permissions.includes(one), email)
      await page.context().close()
    }
  })

  const allOf = (page: (typeof pages)[number]): readonly string[] => ('allOf' in page ? page.allOf : [])
  const single = [...new Set<string>(pages.flatMap((page) => [...page.anyOf, ...allOf(page)]))]
  const whole = pages.filter((page) => allOf(page).length > 0).map((page) => [...page.anyOf, ...allOf(page)])
  test('a role with a single permission, and one with just what a page needs, opens all that it is offered', async () => {
    const clinic = await world.people.clinic()
    for (const given of [[], ...single.map((permission) => [permission]), ...whole]) {
      const email = await memberWith(clinic, given)
      const page = await world.open({ app: 'console', as: email, path: clinic.slug })
      await walk(page, clinic, (one) => given.includes(one), given.join(' and ') || 'no permission')
      await page.context().close()
    }
  })
})
