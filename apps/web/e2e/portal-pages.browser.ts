import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkNarrow, checkPage, checkWords, settle, type View } from './browser.ts'
import { clinicDay } from './clinic-day.ts'
import { holdAt } from './scheduling.ts'
import { sessionsOf } from './sessions.ts'
import { VIEWS } from './views.ts'
import { offeredLink } from './waitlist.ts'
import { SKIPPED, useWorld } from './world.ts'

const PORTAL = join(import.meta.dirname, '../portal')
const LAYOUTS = ['$clinic', '$clinic/session-runs']

interface Ids {
  slug: string
  service: string
  token: string
  offer: string
  visit: string
  form: string
  run: string
}

/** Every path in the routes of the portal, with a URL that opens it. `visitor`: nobody is signed in. */
const PAGES: Readonly<Record<string, { url: (ids: Ids) => string; visitor?: true }>> = {
  '/': { url: ({ slug }) => slug },
  'signed-in': { url: () => 'signed-in' },
  '$clinic/book': { url: ({ slug, service }) => `${slug}/book?service=${service}`, visitor: true },
  'bookings/$token': { url: ({ token }) => `bookings/${token}`, visitor: true },
  'waitlist-offers/$token': { url: ({ offer }) => `waitlist-offers/${offer}`, visitor: true },
  'bookings/$token/move': { url: ({ token }) => `bookings/${token}/move`, visitor: true },
  visits: { url: ({ slug }) => `${slug}/visits` },
  'visits/new': { url: ({ slug }) => `${slug}/visits/new` },
  'visits/$id/move': { url: ({ slug, visit }) => `${slug}/visits/${visit}/move` },
  forms: { url: ({ slug }) => `${slug}/forms` },
  'forms/$id': { url: ({ slug, form }) => `${slug}/forms/${form}` },
  progress: { url: ({ slug }) => `${slug}/progress` },
  me: { url: ({ slug }) => `${slug}/me` },
  'me/profile': { url: ({ slug }) => `${slug}/me/profile` },
  'me/clinics': { url: ({ slug }) => `${slug}/me/clinics` },
  'me/consents': { url: ({ slug }) => `${slug}/me/consents` },
  'me/access-log': { url: ({ slug }) => `${slug}/me/access-log` },
  'me/data': { url: ({ slug }) => `${slug}/me/data` },
  $runId: { url: ({ slug, run }) => `${slug}/session-runs/${run}` },
}
/** Without a session: the sign-in page of the clinic, and of the portal. */
const SIGN_IN = { 'sign-in': ({ slug }: Ids) => slug, start: () => '' }

/** With PICTURES=<folder>: all languages, colour schemes and widths. */
const FOLDER = process.env.PICTURES
const ALL_VIEWS = (['en', 'ro'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) => [360, 768, 1440].map((width) => ({ language, scheme, width }))),
)

/** Controls that are too low for a finger. The label of a radio button or checkbox counts as part of it. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.locator('a, button, input, select, textarea, summary').evaluateAll((controls) => {
    const heightOf = (element: Element) => element.getBoundingClientRect().height
    const labelsOf = (control: Element) => [...((control as HTMLInputElement).labels ?? [])]
    const isShown = (control: Element) => control.checkVisibility() && control.getBoundingClientRect().width > 1
    return controls
      .filter((control) => isShown(control) && !control.matches('.skip-link, [aria-hidden=true]'))
      .filter((control) => Math.max(heightOf(control), ...labelsOf(control).map(heightOf)) < 43.5)
      .map((control) => `${Math.round(heightOf(control))} px: ${control.outerHTML.slice(0, 120)}`)
  })

describe('portal: every page', { skip: SKIPPED }, () => {
  const world = useWorld()

  test('no route of the portal is missing here', () => {
    const found = globSync('**/*{route,root-routes}.tsx', { cwd: PORTAL }).flatMap((file) =>
      [...readFileSync(join(PORTAL, file), 'utf8').matchAll(/^\s+path: '([^']+)',$/gm)].map(([, path = '']) => path),
    )
    assert.deepEqual([...new Set(found)].filter((path) => !LAYOUTS.includes(path)).sort(), Object.keys(PAGES).sort())
  })

  async function setUp() {
    const { clinic, maria, service, therapist, plan } = await clinicDay(world)
    const { database } = world.services
    const schedule = { service, specialists: [therapist] }
    const send = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(world.services.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()).data
    }
    const hold = await send('/v1/public/holds', holdAt(clinic, schedule))
    await send('/v1/public/bookings', {
      hold_id: hold.id,
      booker: { name: 'Ion', email: world.people.newEmail('booker') },
    })
    const token = randomUUID()
    await database.query('update booking_links set token_hash = sha256($1::bytea) where organization_id = $2', [
      token,
      clinic.id,
    ])
    const appoint = (days: number) =>
      world.api.post('/v1/appointments', clinic.admin, {
        service_id: service.id,
        specialist_id: therapist.id,
        patient_id: maria.record.id,
        mode: 'in_person',
        starts_at: new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + days * 86_400_000 - 12 * 3_600_000)
          .toISOString()
          .replace(/T\d\d/, 'T13'),
      })
    const past = await appoint(4)
    await database.query(
      `update appointments set status = 'completed', starts_at = now() - interval '8 days', ends_at = now() - interval '8 days' + interval '45 minutes' where id = $1`,
      [past.id],
    )
    const visit = await appoint(5)
    const template = await world.api.post('/v1/form-templates', clinic.admin, {
      title: 'Before your first visit',
      type: 'intake',
      fields: [
        { key: 'complaint', label: 'What brings you here?', type: 'textarea', required: true },
        { key: 'smoker', label: 'Do you smoke?', type: 'radio', options: ['Yes', 'No'], required: true },
        { key: 'referral', label: 'Referral letter', type: 'file', allowed_file_types: ['application/pdf'] },
      ],
      translations: { ro: { title: 'Înainte de prima vizită', fields: { complaint: { label: 'Ce vă aduce aici?' } } } },
    })
    await world.api.post(`/v1/form-templates/${template.id}/publish`, clinic.admin, {})
    const form = await world.api.post('/v1/forms', clinic.admin, {
      form_template_id: template.id,
      patient_profile_id: maria.record.patient_profile_id,
    })
    await sessionsOf(world.services).consents(clinic, maria.email)
    const { sessions } = await world.api.get(`/v1/treatment-plans/${plan.id}`, clinic.specialist)
    const { run_id } = await world.api.rawPost('/v1/session-runs', maria.email, { plan_session_id: sessions[0].id })
    const { token: offer } = await offeredLink(world.services, clinic, schedule, maria.record.id, 13)
    const ids = { slug: clinic.slug, service: service.id, token, offer, visit: visit.id, form: form.id, run: run_id }
    return { ids, email: maria.email }
  }

  async function show(
    page: Page,
    name: string,
    url: string,
    view: Required<Pick<View, 'language' | 'scheme' | 'width'>>,
  ) {
    await page.goto(`${world.services.url}/portal/${url}`)
    await page.locator('h1').first().waitFor()
    // The player streams its film: it is never idle.
    if (name !== '$runId') await settle(page)
    if (FOLDER) {
      const file = `${name.replaceAll(/\W+/g, '-')}-${view.width}-${view.language}-${view.scheme}.png`
      await page.screenshot({ path: join(FOLDER, file) })
    }
    const text = await page.locator('body').innerText()
    assert.doesNotMatch(text, /\b(portal|ui)\.\w+\.\w+/, `${name} shows the key of a text`)
    if (VIEWS.some((one) => JSON.stringify(one) === JSON.stringify(view))) {
      await checkPage(page)
      if (view.width === 360) assert.deepEqual(await smallTargets(page), [], `${name} has targets under 44 px`)
      await checkNarrow(page)
      await checkWords(page)
    }
  }

  for (const view of FOLDER ? ALL_VIEWS : VIEWS)
    test(`axe finds nothing, and nothing scrolls sideways (${Object.values(view).join(', ')})`, async () => {
      const { ids, email } = await setUp()
      const visitor = await world.open({ app: 'portal', ...view })
      for (const [name, url] of Object.entries(SIGN_IN)) await show(visitor, name, url(ids), view)
      const signedIn = await world.open({ app: 'portal', as: email, path: ids.slug, ...view })
      for (const [name, page] of Object.entries(PAGES))
        await show(page.visitor ? visitor : signedIn, name, page.url(ids), view)
      await visitor.context().close()
      await signedIn.context().close()
    })
})
