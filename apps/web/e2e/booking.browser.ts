import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { checkNarrow, checkPrivate, tabTo } from './browser.ts'
import type { TestClinic } from './people.ts'
import { holdAt, scheduleOf } from './scheduling.ts'
import { nameOf, picture, VIEWS } from './views.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('booking without an account', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function openClinic() {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița' })
    await world.people.publishNotice(clinic)
    return { clinic, schedule: await scheduleOf(world.services, clinic) }
  }

  const send = async (path: string, body?: unknown, method = 'POST') => {
    const response = await fetch(world.services.url + path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return { status: response.status, data: (await response.json()).data }
  }

  /** A booking and the token of its link. Only the mail contains the real token, so the test stores its own. */
  async function bookedLink(clinic: TestClinic, hold: object): Promise<string> {
    const { data } = await send('/v1/public/holds', hold)
    const booker = { name: 'Ioana Bradeanu', email: world.people.newEmail('booker') }
    assert.equal((await send('/v1/public/bookings', { hold_id: data.id, booker })).status, 201)
    const token = randomUUID()
    await world.services.database.query(
      'update booking_links set token_hash = sha256($1::bytea) where organization_id = $2',
      [token, clinic.id],
    )
    return token
  }

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`a visitor chooses a service and a time, gives details and gets a calendar file (${nameOf(view)})`, async () => {
      const { clinic } = await openClinic()
      const page = await world.open({ app: 'portal', path: `${clinic.slug}/book`, ...view })
      await page.getByRole('link', { name: ro ? 'Evaluare inițială' : 'Initial assessment' }).waitFor()
      await world.check(page)
      await picture(page, 'book-services', view)
      await page.getByRole('link', { name: ro ? 'Evaluare inițială' : 'Initial assessment' }).click()
      await page.getByLabel(ro ? 'Cu' : 'With', { exact: true }).selectOption({ label: 'Ana Ionescu' })
      const days = page.getByRole('group', { name: ro ? 'Alegeți o zi' : 'Choose a day' })
      await days.getByRole('button').nth(2).click()
      await page.getByRole('button', { name: '10:00' }).waitFor()
      await world.check(page)
      await checkNarrow(page)
      await picture(page, 'book-times', view)
      await page.getByRole('button', { name: '10:00' }).click()
      await page.getByRole('timer').waitFor()
      await world.check(page)
      await page.getByRole('button', { name: ro ? 'Faceți programarea' : 'Book this appointment' }).click()
      await page.locator('[name="booker.name"]:focus').waitFor()
      await page.locator('[name="booker.name"]').fill('Ioana Bradeanu')
      await page.locator('[name="booker.email"]').fill('not an address')
      await page.keyboard.press('Enter')
      await page.locator('[name="booker.email"]:focus').waitFor()
      await world.check(page)
      await checkNarrow(page)
      await picture(page, 'book-details', view)
      const email = world.people.newEmail('booker')
      await page.locator('[name="booker.email"]').fill(email)
      await page.keyboard.press('Enter')
      await page
        .getByRole('heading', { name: ro ? 'Programarea dumneavoastră este confirmată' : 'Your appointment is booked' })
        .waitFor()
      await world.check(page)
      await checkNarrow(page)
      await checkPrivate(page, ['Bradeanu', 'Ioana', email])
      await picture(page, 'book-done', view)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: ro ? 'Adăugați în calendar' : 'Add to calendar' }).click(),
      ])
      const text = await readFile(await file.path(), 'utf8')
      assert.match(text, /^UID:[\da-f-]{36}@tendon\r$/m)
      assert.doesNotMatch(text, /Bradeanu/)
      const [row] = await world.services.database.query<{ count: string }>(
        "select count(*) from appointments where organization_id = $1 and status = 'confirmed'",
        [clinic.id],
      )
      assert.equal(row?.count, '1')
      await page.context().close()
    })

    test(`the link of a booking shows no patient, moves and cancels it (${nameOf(view)})`, async () => {
      const { clinic, schedule } = await openClinic()
      const token = await bookedLink(clinic, holdAt(clinic, schedule))
      const page = await world.open({ app: 'portal', path: `bookings/${token}`, ...view })
      await page.getByText(ro ? 'Confirmată' : 'Confirmed', { exact: true }).waitFor()
      await page.getByText(ro ? 'Evaluare inițială' : 'Initial assessment', { exact: true }).waitFor()
      assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /Bradeanu/)
      await world.check(page)
      await checkNarrow(page)
      await picture(page, 'booking', view)
      await page.getByRole('link', { name: ro ? 'Mutați' : 'Move', exact: true }).click()
      await page
        .getByRole('group', { name: ro ? 'Alegeți o zi' : 'Choose a day' })
        .getByRole('button')
        .nth(3)
        .click()
      await page.getByRole('button', { name: /15:00|03:00 PM/ }).click()
      await page.getByRole('timer').waitFor()
      await world.check(page)
      await picture(page, 'booking-move', view)
      await page.getByRole('button', { name: ro ? 'Mutați la această oră' : 'Move to this time' }).click()
      await page.waitForURL(`**/portal/bookings/${token}`)
      await page
        .getByText(/15:00|3:00 PM/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: ro ? 'Anulați programarea' : 'Cancel the appointment' }).click()
      await world.check(page)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: ro ? 'Anulați programarea' : 'Cancel the appointment' })
        .click()
      await page.getByText(ro ? 'Anulată' : 'Cancelled', { exact: true }).waitFor()
      await page.getByRole('link', { name: ro ? 'Faceți o programare nouă' : 'Book a new appointment' }).waitFor()
      await world.check(page)
      await page.context().close()
    })
  }

  test('a time that somebody else took is refused with a message and removed from the list; other input is kept', async () => {
    const { clinic, schedule } = await openClinic()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${schedule.service.id}` })
    const days = page.getByRole('group', { name: 'Choose a day' })
    await days.getByRole('button').nth(2).click()
    await page.waitForURL(/[?&]day=/)
    await page.getByRole('button', { name: '12:00' }).waitFor()
    const slot = holdAt(clinic, schedule, 0)
    const shown = await page.evaluate(() => new URL(location.href).searchParams.get('day'))
    const noon = ['02', '03'].map((offset) => new Date(`${shown}T12:00:00+${offset}:00`))
    const isNoon = (at: Date) => at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Bucharest' }) === '12:00:00'
    const starts_at = noon.find(isNoon)?.toISOString()
    const rivals = []
    for (const { id } of schedule.specialists)
      rivals.push(await send('/v1/public/holds', { ...slot, starts_at, specialist_id: id }))
    assert.deepEqual(
      rivals.map(({ status }) => status),
      [201, 201],
    )
    await page.getByRole('button', { name: '12:00' }).click()
    await page.getByText(/Choose another one/).waitFor()
    await page.getByRole('button', { name: '12:00' }).waitFor({ state: 'detached' })
    for (const { data } of rivals) await fetch(`${world.services.url}/v1/public/holds/${data.id}`, { method: 'DELETE' })
    await page.context().close()
  })

  test('a day whose times are not loaded yet is never called taken, and a failure says so and can be tried again', async () => {
    const { clinic, schedule } = await openClinic()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${schedule.service.id}` })
    const days = page.getByRole('group', { name: 'Choose a day' }).getByRole('button')
    // The first answer has the times of the first days only.
    await days.nth(5).click()
    await page.waitForURL(/[?&]day=/)
    await page.getByRole('button', { name: '10:00' }).waitFor()
    const refused = Promise.withResolvers<void>()
    const oneDay = (url: URL) => url.pathname === '/v1/public/availability' && url.searchParams.get('limit') === '1000'
    await page.route(oneDay, async (route) => {
      await refused.promise
      await route.fulfill({ status: 400, body: '' })
    })
    const day = page.url()
    await days.nth(6).click()
    await page.waitForURL((url) => url.href !== day)
    await page.locator('section [aria-busy=true]').waitFor()
    assert.equal(await page.getByText('All times on this day are now taken').count(), 0)
    refused.resolve()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    assert.equal(await page.getByText('All times on this day are now taken').count(), 0)
    await page.unroute(oneDay)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: '10:00' }).waitFor()
    await page.context().close()
  })

  test('the times of one specialist are not shown for another while those are loading', async () => {
    const { clinic, schedule } = await openClinic()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${schedule.service.id}` })
    await page.getByRole('button', { name: '10:00' }).first().waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/public/availability?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByLabel('With', { exact: true }).selectOption({ label: 'Ana Ionescu' })
    await page.locator('section [aria-busy=true]').waitFor()
    assert.equal(await page.getByRole('button', { name: '10:00' }).count(), 0)
    held.resolve()
    await page.getByRole('button', { name: '10:00' }).waitFor()
    await page.context().close()
  })

  test('later days are never called full while they are loading', async () => {
    const { clinic, schedule } = await openClinic()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${schedule.service.id}` })
    await page.getByRole('button', { name: '10:00' }).first().waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/public/availability?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: /more days/ }).click()
    const later = page.getByRole('button', { name: 'Later days' })
    await later.waitFor()
    // Four weeks, without today, which is closed, and without the day after them, of which only a part is known.
    assert.equal(await page.getByRole('group', { name: 'Choose a day' }).getByRole('button').count(), 27)
    await later.click()
    await page.waitForURL(/[?&]from=/)
    await page.locator('main [aria-busy=true]').waitFor()
    assert.equal(await page.getByText('No free times on these days').count(), 0)
    held.resolve()
    await page.getByRole('button', { name: '10:00' }).waitFor()
    await page.context().close()
  })

  test('an expired hold shows a message, and typed text is kept when another time is chosen', async () => {
    const { clinic, schedule } = await openClinic()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${schedule.service.id}` })
    await page.getByRole('button', { name: '11:00' }).click()
    await page.locator('[name="booker.name"]').fill('Ioana Bradeanu')
    await world.services.database.query(
      "update holds set expires_at = clock_timestamp() where organization_id = $1 and status = 'active'",
      [clinic.id],
    )
    await world.services.database.query(
      "update time_claims set expires_at = clock_timestamp() where organization_id = $1 and kind = 'hold'",
      [clinic.id],
    )
    await page.locator('[name="booker.email"]').fill(world.people.newEmail('booker'))
    await page.getByRole('button', { name: 'Book this appointment' }).click()
    await page
      .getByText(/no longer kept for you/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Choose another time' }).click()
    await page.getByRole('button', { name: '10:00' }).click()
    assert.equal(await page.locator('[name="booker.name"]').inputValue(), 'Ioana Bradeanu')
    await page.getByRole('button', { name: 'Book this appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor()
    await page.context().close()
  })

  test('after a reload the page still says that the booking was received, until another one is begun', async () => {
    const { clinic, schedule } = await openClinic()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book?service=${schedule.service.id}` })
    await page.getByRole('button', { name: '11:00' }).click()
    await page.locator('[name="booker.name"]').fill('Ioana Bradeanu')
    await page.locator('[name="booker.email"]').fill(world.people.newEmail('booker'))
    await page.getByRole('button', { name: 'Book this appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor()
    const reference = await page.getByText(/^Reference: \w+$/).textContent()
    await page.reload()
    await page.getByRole('heading', { name: 'We have received your booking' }).waitFor()
    await page.getByText('The link in our e-mail shows the current status of your appointment.').waitFor()
    assert.equal(await page.getByText(/^Reference: \w+$/).textContent(), reference)
    await world.check(page)
    await checkPrivate(page, ['Bradeanu', 'Ioana'])
    assert.equal(await page.getByText('Initial assessment').count(), 0)
    await page.getByRole('button', { name: 'Book another appointment' }).click()
    await page.getByRole('link', { name: 'Initial assessment' }).waitFor()
    await page.context().close()
  })

  test('booking works with the keyboard only, and "back" releases the time', async () => {
    const { clinic } = await openClinic()
    const page = await world.open({ app: 'portal', path: `${clinic.slug}/book` })
    await page.getByRole('link', { name: 'Initial assessment' }).waitFor()
    await tabTo(page, 'main a')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '10:00' }).first().waitFor()
    await tabTo(page, 'section:last-of-type button')
    await page.keyboard.press('Enter')
    await page.getByRole('timer').waitFor()
    await page.goBack()
    await page.getByRole('timer').waitFor({ state: 'detached' })
    const active = async () => {
      const [row] = await world.services.database.query<{ count: string }>(
        "select count(*) from time_claims where organization_id = $1 and kind = 'hold'",
        [clinic.id],
      )
      return row?.count
    }
    await until(async () => (await active()) === '0')
    await page.context().close()
  })

  test('an invalid link says what to do, and a known e-mail address gets the same page as an unknown one', async () => {
    const { clinic, schedule } = await openClinic()
    const page = await world.open({ app: 'portal', path: 'bookings/no-such-token-at-all' })
    await page.getByText('This link does not work').waitFor()
    await world.check(page)
    const { email } = await world.people.patient(clinic)
    const texts = []
    for (const address of [email, world.people.newEmail('patient')]) {
      await page.goto(`${world.services.url}/portal/${clinic.slug}/book?service=${schedule.service.id}`)
      await page.getByRole('button', { name: '10:00' }).first().click()
      await page.locator('[name="booker.name"]').fill('Ana')
      await page.locator('[name="booker.email"]').fill(address)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor()
      const text = (await page.locator('main').textContent()) ?? ''
      texts.push(
        text
          .replace(address, '')
          .replace(/Reference: \w{8}/, '')
          .replace(/With[A-Z]\w+ [A-Z]\w+/, ''),
      )
    }
    assert.equal(texts[0], texts[1])
    await page.context().close()
  })
})
