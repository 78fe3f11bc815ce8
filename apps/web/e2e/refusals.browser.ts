import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('portal: when the server cannot answer', { skip: SKIPPED }, () => {
  const world = useWorld({ env: { RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE: '12' } })

  test('after too many requests (429) the page says so in words, the button counts down, and what was typed is kept', async () => {
    const clinic = await world.people.clinic()
    const { service } = await scheduleOf(world.services, clinic)
    const page = await world.open({
      app: 'portal',
      path: `${clinic.slug}/book?service=${service.id}`,
      language: 'ro',
      width: 360,
    })
    await page.getByRole('group', { name: 'Alegeți o zi' }).getByRole('button').nth(3).click()
    await page.getByRole('button', { name: '10:00' }).click()
    await page.locator('[name="booker.name"]').fill('Ioana Bradeanu')
    await page.locator('[name="booker.email"]').fill('ioana@mail.example')
    // Other clients with the same IP address use up the limit.
    const statuses = await page.evaluate(async () => {
      const send = () =>
        fetch('/v1/public/bookings', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-tendon-web': 'portal',
            'idempotency-key': crypto.randomUUID(),
          },
          body: '{}',
        })
      return (await Promise.all(Array.from({ length: 14 }, send))).map(({ status }) => status)
    })
    assert.ok(statuses.includes(429), statuses.join())
    await page.getByRole('button', { name: 'Faceți programarea' }).click()
    await page.getByRole('alert').waitFor()
    const words = await page.getByRole('alert').innerText()
    assert.match(words, /Prea multe|prea multe/)
    const button = page.locator('button[type=submit]')
    await page.waitForFunction(() => document.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled)
    assert.match(await button.innerText(), /\d/)
    assert.equal(await page.locator('[name="booker.name"]').inputValue(), 'Ioana Bradeanu')
    await world.check(page)
  })

  test('without a database (503) the page shows a message, keeps typed text, and saves when the database is back', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email } = await world.people.patient(clinic)
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/me/profile`, width: 360 })
    await page.locator('[name=name]').fill('Maria S.')
    const { database } = world.services
    const name = new URL(database.url).pathname.slice(1)
    const admit = (limit: number) => database.query(`alter database ${name} connection limit ${limit}`)
    await admit(0)
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename like 'tendon%'`,
      [name],
    )
    await page.getByRole('button', { name: 'Save' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor({ timeout: 60_000 })
    assert.equal(await page.locator('[name=name]').inputValue(), 'Maria S.')
    await admit(-1)
    const save = page.locator('button[type=submit]')
    await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled)
    await save.click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.equal((await world.api.get('/v1/me', email)).name, 'Maria S.')
  })
})
