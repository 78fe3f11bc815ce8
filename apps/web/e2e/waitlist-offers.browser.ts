import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkNarrow, checkPrivate } from './browser.ts'
import { scheduleOf } from './scheduling.ts'
import { nameOf, picture, VIEWS } from './views.ts'
import { freedEntry, offeredLink } from './waitlist.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('waitlist offers', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function openClinic() {
    const clinic = await world.people.clinic({ name: 'Clinica Mlădița', phone: '+40 21 555 0100' })
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic, { first: 'Maria', last: 'Stan' })
    return { clinic, record, schedule: await scheduleOf(world.services, clinic) }
  }

  for (const view of VIEWS) {
    const ro = view.language === 'ro'

    test(`the link shows the time, and one press books it (${nameOf(view)})`, async () => {
      const { clinic, record, schedule } = await openClinic()
      const { token, entryId } = await offeredLink(world.services, clinic, schedule, record.id)
      const page = await world.open({ app: 'portal', path: `waitlist-offers/${token}`, ...view })
      await page.getByText(ro ? 'Evaluare inițială' : 'Initial assessment').waitFor()
      await world.check(page)
      await checkNarrow(page)
      await checkPrivate(page, ['Maria', 'Stan'])
      await picture(page, 'offer-open', view)
      await page.getByRole('button', { name: ro ? 'Acceptați această oră' : 'Book this time' }).click()
      await page.getByText(ro ? 'Ați acceptat această oră' : 'You accepted this time').waitFor()
      await world.check(page)
      await picture(page, 'offer-accepted', view)
      assert.equal((await world.api.get(`/v1/appointments/${entryId}`, clinic.admin)).status, 'confirmed')
    })

    test(`the clinic offers a freed time and ends the offer (${nameOf(view)})`, async () => {
      const { clinic, record, schedule } = await openClinic()
      const entryId = await freedEntry(world.services, clinic, schedule, record.id)
      const path = `${clinic.slug}/patients/${record.id}/appointments?visit=${entryId}`
      const page = await world.open({ app: 'console', as: clinic.admin, path, ...view })
      const panel = page.getByRole('dialog').first()
      await panel.getByText(ro ? 'S-a eliberat o oră potrivită' : 'A suitable time has become free').waitFor()
      await world.check(page)
      await picture(page, 'offer-console-freed', view)
      await panel.getByRole('button', { name: ro ? 'Oferiți' : 'Offer', exact: true }).click()
      const end = panel.getByRole('button', { name: ro ? 'Retrageți oferta' : 'End offer' })
      await end.waitFor()
      await panel.getByText(ro ? 'Oferită pacientului' : 'Offered to the patient').waitFor()
      await world.check(page)
      await picture(page, 'offer-console-open', view)
      await end.click()
      await panel.getByText(ro ? 'Oferta a fost retrasă de clinică' : 'was ended by the clinic').waitFor()
    })
  }

  test('a declined offer says so, and a link that does not exist is explained', async () => {
    const { clinic, record, schedule } = await openClinic()
    const { token } = await offeredLink(world.services, clinic, schedule, record.id)
    const page = await world.open({ app: 'portal', path: `waitlist-offers/${token}`, width: 360 })
    await page.getByRole('button', { name: 'No, thank you' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'No, thank you' }).click()
    await page.getByText('You declined this time').waitFor()
    await page.getByRole('link', { name: 'Call +40 21 555 0100' }).waitFor()
    await world.check(page)
    const unknown = await world.open({ app: 'portal', path: 'waitlist-offers/nobody-has-this-link' })
    await unknown.getByText('This link does not work').waitFor()
  })

  test('an offer that ended while the page was open is explained, and shown as it is', async () => {
    const { clinic, record, schedule } = await openClinic()
    const { token, entryId } = await offeredLink(world.services, clinic, schedule, record.id)
    const page = await world.open({ app: 'portal', path: `waitlist-offers/${token}`, width: 360 })
    await page.getByRole('button', { name: 'Book this time' }).waitFor()
    await world.services.database.query(`update waitlist_offers set status = 'ended' where appointment_id = $1`, [
      entryId,
    ])
    await page.getByRole('button', { name: 'Book this time' }).click()
    await page.getByText('The clinic ended this offer').waitFor()
  })
})
