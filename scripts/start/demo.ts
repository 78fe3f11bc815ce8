import { join } from 'node:path'
import type { Config } from '@tendon/config'
import { createServices } from '../../apps/core/src/create-services.ts'
import { superadminCommand } from '../../apps/core/src/entries/superadmin-command.ts'
import { demoAccounts } from '../../apps/identity/src/demo-accounts.ts'
import { type Api, createApi, localTokens, Refused } from './api.ts'
import { seedAutomations } from './demo-automations.ts'
import { hasRuns, seedHistory } from './demo-history.ts'
import { nameOf, seedPatients } from './demo-patients.ts'
import { seedPlans } from './demo-plans.ts'
import { seedReceivers } from './demo-receivers.ts'
import { seedRecords } from './demo-records.ts'
import { seedSchedule } from './demo-schedule.ts'
import { type Patience, patientFetch } from './patience.ts'

// The demo clinic is created through the API, like a real clinic. Only the history is written directly, and last
// (demo-history.ts). Each part is created only if it is missing, so that the next start completes an interrupted one
// and changes by people are kept.

export const OPERATOR = 'operator@tendon.example'
export const ADMIN = 'ana.ionescu@mladita.example'
export const SPECIALIST = 'andrei.popescu@mladita.example'
const ADDRESS = { line1: 'Strada Lipscani 12', city: 'București', postal_code: '030033', country: 'RO' }
const CLINIC = {
  name: 'Clinica Mlădița',
  slug: 'mladita',
  language_code: 'ro',
  time_zone: 'Europe/Bucharest',
  legal_name: 'Mlădița Medical SRL',
  contact_email: 'contact@mladita.example',
  phone: '+40 21 555 0100',
  address: ADDRESS,
  plan: 'pro',
}
const STAFF: [string, string][] = [
  [ADMIN, 'admin'],
  [SPECIALIST, 'specialist'],
  ['emily.carter@mladita.example', 'specialist'],
  ['ioana.dumitru@mladita.example', 'customer_support'],
]
const LOCATIONS = [
  { name: 'Centru', address: ADDRESS },
  {
    name: 'Cluj',
    address: { line1: 'Bulevardul Eroilor 5', city: 'Cluj-Napoca', postal_code: '400129', country: 'RO' },
  },
]

/** What was created stays; the next start creates the rest. */
export class DemoIncomplete extends Error {
  constructor({ message }: Refused, logDir: string) {
    super(
      `The demo clinic is not complete: ${message}\nRun the same command again: it continues there. If this repeats, read core.log in ${logDir}.`,
    )
  }
}

export async function seedDemo(
  config: Config,
  databaseUrl: string,
  onProgress: (line: string) => void,
  patience: Patience = {},
): Promise<void> {
  try {
    await seedMissing(config, databaseUrl, onProgress, patience)
  } catch (error) {
    throw error instanceof Refused ? new DemoIncomplete(error, join(config.DATA_DIR, 'logs')) : error
  }
}

async function seedMissing(
  config: Config,
  databaseUrl: string,
  onProgress: (line: string) => void,
  patience: Patience,
): Promise<void> {
  const onWait = (seconds: number) => onProgress(`the core API is busy and asks to wait ${seconds} s`)
  const api = createApi({
    url: config.publicUrl,
    tokenOf: localTokens(config, nameOf),
    fetch: patientFetch({ onWait, ...patience }),
  })
  await makeSuperadmin(config, databaseUrl)
  const id = await findOrCreateClinic(api)
  const at = `/v1/organizations/${id}`
  if ((await api.count(`${at}/members`, OPERATOR)) === 0) {
    onProgress('staff')
    const roles: { id: string; code: string }[] = await api.get(`${at}/roles`, OPERATOR)
    for (const [email, code] of STAFF) {
      const name = demoAccounts.find((account) => account.email === email)?.name
      await api.post(`${at}/members`, OPERATOR, { email, name, role_id: roles.find((role) => role.code === code)?.id })
    }
  }
  if ((await api.count(`${at}/locations`, ADMIN)) === 0) {
    for (const location of LOCATIONS) await api.post(`${at}/locations`, ADMIN, location)
  }
  if ((await api.count('/v1/patients', ADMIN)) === 0) {
    onProgress('privacy notice, patients, consents')
    await seedPatients(api, at, ADMIN)
  }
  await seedReceivers(config, api, at, ADMIN, CLINIC.contact_email)
  await seedAutomations(api, ADMIN)
  // Segments are created last.
  if ((await api.raw('/v1/segments', ADMIN)).segments.length === 0) {
    onProgress('specialists, fields, forms, segments')
    await seedRecords(api, at, ADMIN, SPECIALIST)
  }
  if ((await api.count('/v1/services', ADMIN)) === 0) {
    onProgress('services, working hours, four weeks of appointments')
    await seedSchedule(api, at, ADMIN)
  }
  if (!(await hasRuns(databaseUrl, id))) {
    onProgress('programs, treatment plans, four weeks of sessions')
    const experienced = await seedPlans(api, SPECIALIST)
    await seedHistory(config, databaseUrl, experienced)
  }
}

async function findOrCreateClinic(api: Api): Promise<string> {
  try {
    return (await api.get(`/v1/public/organizations/resolve?slug=${CLINIC.slug}`, OPERATOR)).id
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error
    return (await api.post('/v1/organizations', OPERATOR, CLINIC)).id
  }
}

async function makeSuperadmin(config: Config, databaseUrl: string): Promise<void> {
  const { db, box, close } = createServices(config, 'tendon_app', databaseUrl)
  try {
    await superadminCommand(['grant', OPERATOR], { db, box })
  } finally {
    await close()
  }
}
