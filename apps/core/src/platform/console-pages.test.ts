import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { renderMail } from '@tendon/mail'
import { mailTemplates } from '../mail-templates.ts'
import { CONSOLE_PAGES } from './console-pages.ts'

const CLINIC = 'https://app.example/console/mladita'
const patient_id = randomUUID()
const at = '2026-11-19T10:00:00Z'
const record = { domain: 'clinic.example', record_name: '_tendon', record_value: 'x', stops_at: at }
const text = { subject: 'Pain', text: 'Please call.', values: {}, starts_at: null }

/** Each mail to members, with what it says and the page it opens. */
const TO_MEMBERS: Record<string, [data: Record<string, unknown>, page: string]> = {
  member_invited: [{ organization_name: 'Mlădița', role_name: 'Admin', inviter_name: 'Ana' }, '#email='],
  telemedicine_withdrawn: [{ count: 2 }, '/calendar'],
  domain_record_missing: [record, '/settings'],
  domain_stopped: [record, '/settings'],
  webhook_disabled: [{ host: 'hooks.example', reason: 'gone' }, '/settings'],
  automation_notice: [{ ...text, rule_name: 'Pain', patient_id }, `/patients/${patient_id}`],
  automation_quota: [{ rule_name: 'Pain' }, '/settings'],
  break_glass_opened: [{ organization_name: 'Mlădița', opened_by: null, expires_at: at }, '/settings'],
}
/** Mails to patients and bookers. */
const TO_PATIENTS = new Set(['patient_invited'])

describe('the mails to members', () => {
  const rendered = (name: string, data: Record<string, unknown>, language: 'en' | 'ro') =>
    renderMail(mailTemplates.get(name) ?? assert.fail(name), data, {
      language,
      timeZone: 'Europe/Bucharest',
      context: {
        organizationName: 'Mlădița',
        toAddress: 'ana@mail.example',
        fromAddress: '',
        sentAt: new Date(at),
        consoleUrl: CLINIC,
        portalUrl: 'https://app.example/portal/mladita',
        publicUrl: 'https://api.example',
      },
    }).text

  test('every mail about accounts is for members or for patients', () => {
    const accounts = [...mailTemplates.values()].filter(({ kind }) => kind === 'account').map(({ name }) => name)
    assert.deepEqual(accounts.filter((name) => !TO_PATIENTS.has(name)).sort(), Object.keys(TO_MEMBERS).sort())
  })

  for (const [name, [data, page]] of Object.entries(TO_MEMBERS))
    for (const language of ['en', 'ro'] as const)
      test(`the mail ${name} in ${language} opens its page of the clinic's console`, () => {
        const links = rendered(name, data, language).match(/https:\/\/app\.example\S*/g) ?? []
        assert.equal(links.length, 1, String(links))
        assert.ok(
          links[0] === `${CLINIC}${page}` || (page === '#email=' && links[0]?.startsWith(CLINIC + page)),
          links[0],
        )
      })

  test('a notice without a patient, or written by an earlier release, opens the settings', () => {
    for (const more of [{ patient_id: null }, {}])
      assert.ok(
        rendered('automation_notice', { ...text, rule_name: 'Pain', ...more }, 'en').includes(`${CLINIC}/settings\n`),
      )
  })

  test('a name without a letter is not printed: somebody of the clinic invites, the operator opened access', () => {
    const invited = { organization_name: 'Mlădița', role_name: 'Admin', inviter_name: ' – ' }
    assert.match(rendered('member_invited', invited, 'en'), /An administrator invites you/)
    assert.match(rendered('member_invited', invited, 'ro'), /Un administrator vă invită/)
    const opened = { organization_name: 'Mlădița', opened_by: '-', expires_at: at }
    assert.match(rendered('break_glass_opened', opened, 'en'), /Opened by: The operator/)
    assert.match(rendered('break_glass_opened', opened, 'ro'), /Deschis de: Operator/)
  })

  test('the console has each page that a mail opens', () => {
    const cwd = join(import.meta.dirname, '../../../web/console')
    const sources = globSync('**/*.{ts,tsx}', { cwd }).map((file) => readFileSync(join(cwd, file), 'utf8'))
    const paths = sources.flatMap((source) => [...source.matchAll(/\bpath: '\/?([^']+)'/g)].map(([, path]) => path))
    for (const page of Object.values(CONSOLE_PAGES)) assert.ok(paths.includes(page), page)
    assert.ok(paths.includes('patients/$id'))
  })

  test('no page is named with a slash at its start or end', () => {
    for (const page of Object.values(CONSOLE_PAGES)) assert.match(page, /^[a-z/-]*[a-z]$/)
  })
})
