import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

const MEETING = 'https://meet.example/room-1'

describe('portal: the day of a visit', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function setUp(mode: 'video' | 'in_person') {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const schedule = await scheduleOf(world.services, clinic, { service: { modes: [mode] } })
    const { email, record } = await world.people.patient(clinic)
    const day = new Date(Date.now() + 2 * 86_400_000)
    day.setUTCHours(10, 0, 0, 0)
    const visit = await world.api.post('/v1/appointments', clinic.admin, {
      service_id: schedule.service.id,
      specialist_id: schedule.specialists[0]?.id,
      patient_id: record.id,
      mode,
      starts_at: day.toISOString(),
      ...(mode === 'video' ? { meeting_url: MEETING } : {}),
    })
    /** Moves the visit, because the clock of the services cannot be changed. */
    const move = (changes: string) =>
      world.services.database.query(`update appointments set ${changes} where id = $1`, [visit.id])
    return { clinic, email, move }
  }

  test('a video visit asks for the consent first, then the meeting opens in a new window without access to the portal’s window', async () => {
    const { clinic, email, move } = await setUp('video')
    await move(
      `starts_at = now() + interval '5 minutes', ends_at = now() + interval '65 minutes', status = 'confirmed'`,
    )
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, width: 360 })
    await page.getByRole('button', { name: 'Read and agree' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Agree and continue' }).click()
    const join = page.getByRole('button', { name: 'Join' })
    await join.waitFor()
    await world.check(page)
    await page.context().route(`${MEETING}*`, (route) => route.fulfill({ contentType: 'text/html', body: 'room' }))
    const [meeting] = await Promise.all([page.context().waitForEvent('page'), join.click()])
    await meeting.waitForURL(MEETING)
    assert.equal(await meeting.evaluate(() => window.opener), null)
  })

  test('stars and words of a review are sent once, and an incomplete one is not sent', async () => {
    const { clinic, email, move } = await setUp('in_person')
    await move(
      `starts_at = now() - interval '2 days', ends_at = now() - interval '2 days' + interval '1 hour', status = 'completed', completed_at = now() - interval '2 days'`,
    )
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits`, width: 360 })
    await page.getByRole('button', { name: 'How was it?' }).click()
    const dialog = page.getByRole('dialog')
    const send = dialog.getByRole('button', { name: 'Send' })
    assert.equal(await send.isDisabled(), true)
    await dialog.getByRole('radio').nth(3).check()
    await dialog.getByRole('textbox').fill('Kind and thorough.')
    await world.check(page)
    await send.click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'How was it?' }).count(), 0)
    const rows = await world.services.database.query<{ rating: number }>(
      'select rating from appointment_reviews where organization_id = $1',
      [clinic.id],
    )
    assert.deepEqual(
      rows.map(({ rating }) => rating),
      [4],
    )
  })

  test('the printed page has the visits in dark text, and no buttons or menus', async () => {
    const { clinic, email } = await setUp('in_person')
    const page = await world.open({
      app: 'portal',
      as: email,
      path: `${clinic.slug}/visits`,
      language: 'ro',
      scheme: 'dark',
      width: 768,
    })
    await page.getByRole('article', { name: 'Evaluare inițială' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    // The page itself changes to light colours, a moment later.
    await page.locator('html[data-mantine-color-scheme=light]').waitFor()
    for (const hidden of ['nav', '.mantine-Button-root', '.skip-link'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
    const article = page.getByRole('article')
    assert.equal(await article.isVisible(), true)
    const [color, ground] = await article
      .locator('dd')
      .first()
      .evaluate((text) => [getComputedStyle(text).color, getComputedStyle(document.body).backgroundColor])
    assert.deepEqual([color, ground], ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    assert.ok((await page.pdf()).length > 5_000)
  })
})
