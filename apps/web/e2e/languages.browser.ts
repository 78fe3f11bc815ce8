import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { enterAsPatient } from '../../../scripts/start/api.ts'
import { settle } from './browser.ts'
import { mailTo } from './mails.ts'
import type { TestClinic } from './people.ts'
import { scheduleOf } from './scheduling.ts'
import { SKIPPED, useWorld } from './world.ts'

const WORDS = { en: ['Appointments', 'Forms', 'Progress'], ro: ['Programări', 'Formulare', 'Progres'] } as const
const SERVICE = { en: 'Initial assessment', ro: 'Evaluare inițială' } as const
type Language = keyof typeof WORDS
interface Condition {
  name: string
  translations: Partial<Record<Language, { name: string }>>
}
type Page = Awaited<ReturnType<ReturnType<typeof useWorld>['open']>>

describe('the language of pages and mails', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function setUp(language_code: Language, email?: string) {
    const clinic = await world.people.clinic({ name: `Clinica ${language_code}`, language_code })
    await world.people.publishNotice(clinic)
    const schedule = await scheduleOf(world.services, clinic)
    if (email === undefined) return { clinic, schedule, ...(await world.people.patient(clinic)) }
    const record = await world.api.post('/v1/patients', clinic.admin, {
      first_name: 'Maria',
      last_name: 'Stan',
      email,
      invite: true,
    })
    await enterAsPatient(world.api, email)
    return { clinic, schedule, email, record }
  }

  /** A browser in English without any cookie, before the account has a language. */
  async function visit(path: string, email?: string): Promise<Page> {
    const page = await world.open({ app: 'portal', path, language: 'en' })
    await page.context().clearCookies()
    await page.goto(`${world.services.url}/portal/${path}`)
    if (email !== undefined) await world.signIn(page, 'portal', email, `/portal/${path}`)
    return page
  }

  /** Menu, heading and names of the API are in one language. */
  async function isIn(page: Page, language: Language): Promise<void> {
    await page.locator(`html[lang=${language}]`).waitFor()
    await page.getByText(SERVICE[language]).first().waitFor()
    await settle(page)
    const text = (await page.locator('body').innerText()).split('\n').map((line) => line.trim())
    const other = language === 'en' ? 'ro' : 'en'
    for (const word of WORDS[language]) assert.ok(text.includes(word), `${word} in ${text.join(' | ')}`)
    for (const word of [...WORDS[other], SERVICE[other]])
      assert.ok(!text.includes(word), `${word} in ${text.join(' | ')}`)
  }

  const bookFor = (
    clinic: TestClinic,
    { service, specialists }: Awaited<ReturnType<typeof scheduleOf>>,
    patient_id: string,
  ) =>
    world.api.post('/v1/appointments', clinic.admin, {
      service_id: service.id,
      specialist_id: specialists[0]?.id,
      patient_id,
      starts_at: new Date(Math.ceil(Date.now() / 86_400_000 + 2) * 86_400_000 + 36_000_000).toISOString(),
    })

  test('an English browser changes neither the page nor the mails of an account without a choice', async () => {
    const { clinic, schedule, email, record } = await setUp('ro')
    const page = await visit(`${clinic.slug}/visits/new`, email)
    await isIn(page, 'ro')
    assert.equal((await world.api.get('/v1/me', email)).preferred_language, null)
    await bookFor(clinic, schedule, record.id)
    const mail = await mailTo(world.services, email, 'booking_updated')
    assert.equal(mail.subject, 'Programarea dumneavoastră la Clinica ro este confirmată')
  })

  test('a language that is chosen on the sign-in page is kept, for mails too', async () => {
    const { clinic, schedule, email, record } = await setUp('ro')
    const page = await visit(`${clinic.slug}/visits/new`)
    await page.getByRole('button', { name: 'Română' }).click()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await world.approve(page, email)
    await isIn(page, 'en')
    await page.reload()
    await isIn(page, 'en')
    assert.equal((await world.api.get('/v1/me', email)).preferred_language, 'en')
    await bookFor(clinic, schedule, record.id)
    const mail = await mailTo(world.services, email, 'booking_updated')
    assert.equal(mail.subject, 'Your appointment at Clinica ro is confirmed')
    // Day before month.
    assert.match(mail.text, /When: \w+,? \d{1,2} \w+ \d{4}/)
  })

  test('a language that was chosen on the sign-in page does not replace the account’s own', async () => {
    const { clinic, email } = await setUp('ro')
    await world.api.patch('/v1/me', email, { preferred_language: 'ro' })
    const page = await visit(`${clinic.slug}/visits/new`)
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await world.approve(page, email)
    await isIn(page, 'ro')
  })

  test('the account’s choice wins over the cookie, and the menu changes everything at once', async () => {
    const { clinic, email } = await setUp('en')
    const page = await world.open({ app: 'portal', as: email, path: `${clinic.slug}/visits/new`, language: 'ro' })
    await isIn(page, 'ro')
    await page.context().addCookies([{ name: 'language', value: 'en', url: world.services.url }])
    await page.reload()
    await isIn(page, 'ro')
    await page.getByRole('button', { name: 'Contul lui' }).click()
    await page.getByRole('button', { name: 'English' }).click()
    await isIn(page, 'en')
    await page.reload()
    await isIn(page, 'en')
    assert.equal((await world.api.get('/v1/me', email)).preferred_language, 'en')
  })

  test('a person of two clinics reads each in its language, unless they chose one', async () => {
    const { clinic: romanian, email } = await setUp('ro')
    const { clinic: english } = await setUp('en', email)
    const page = await visit(`${romanian.slug}/visits/new`, email)
    await isIn(page, 'ro')
    await page.goto(`${world.services.url}/portal/${romanian.slug}/me/clinics`)
    await page.getByRole('link', { name: 'Deschideți' }).click()
    await page.waitForURL((url) => url.pathname.startsWith(`/portal/${english.slug}`))
    await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
    for (const box of await page.getByRole('dialog').getByRole('checkbox').all()) await box.check()
    await page.getByRole('button', { name: 'Agree and continue' }).click()
    await page.getByRole('link', { name: 'Appointments' }).first().click()
    await page.getByRole('link', { name: 'Book an appointment' }).first().click()
    await isIn(page, 'en')
    await page.goBack()
    await page.goto(`${world.services.url}/portal/${romanian.slug}/visits/new`)
    await isIn(page, 'ro')
  })

  test('the menu of the console changes texts and names of conditions at once, and the account wins over the cookie', async () => {
    const { clinic, record } = await setUp('en')
    const { conditions } = await world.api.raw('/v1/exercise-conditions?limit=500', clinic.specialist)
    const condition = conditions.find(
      ({ name, translations }: Condition) => translations.ro && translations.ro.name !== name,
    ) as Condition & { id: string }
    const names = { en: condition.name, ro: condition.translations.ro?.name ?? '' }
    const path = `${clinic.slug}/patients/${record.id}/conditions`
    await world.api.rawPost(`/v1/patients/${record.id}/conditions`, clinic.specialist, { condition_id: condition.id })
    const page = await world.open({ app: 'console', as: clinic.specialist, path, language: 'ro' })
    const isAllIn = async (language: Language) => {
      await page.locator(`html[lang=${language}]`).waitFor()
      await page
        .getByRole('link', { name: language === 'ro' ? 'Pacienți' : 'Patients' })
        .first()
        .waitFor()
      await page.getByText(names[language], { exact: true }).first().waitFor()
      await settle(page)
      assert.equal(await page.getByText(names[language === 'ro' ? 'en' : 'ro'], { exact: true }).count(), 0)
    }
    await isAllIn('ro')
    await page.context().addCookies([{ name: 'language', value: 'en', url: world.services.url }])
    await page.reload()
    await isAllIn('ro')
    await page.getByRole('button', { name: 'Contul lui' }).click()
    await page.getByRole('button', { name: 'English' }).click()
    await isAllIn('en')
    await page.reload()
    await isAllIn('en')
  })
})
