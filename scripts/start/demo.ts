import type { Config } from '@tendon/config'
import { createServices } from '../../apps/core/src/create-services.ts'
import { superadminCommand } from '../../apps/core/src/superadmin-command.ts'
import { demoAccounts } from '../../apps/identity/src/demo-accounts.ts'
import { mintSessionToken } from '../../apps/identity/src/session-token.ts'

// The demo clinic is made through the API, as a clinic would be: what it shows is what the API does.

const OPERATOR = 'operator@tendon.example'
const CLINIC = {
  name: 'Clinica Mlădița',
  slug: 'mladita',
  language_code: 'ro',
  time_zone: 'Europe/Bucharest',
  legal_name: 'Mlădița Medical SRL',
  contact_email: 'contact@mladita.example',
  phone: '+40 21 555 0100',
  address: { line1: 'Strada Lipscani 12', city: 'București', postal_code: '030033', country: 'RO' },
  plan: 'pro',
}
const STAFF: [string, string][] = [
  ['ana.ionescu@mladita.example', 'admin'],
  ['andrei.popescu@mladita.example', 'specialist'],
  ['emily.carter@mladita.example', 'specialist'],
  ['ioana.dumitru@mladita.example', 'customer_support'],
]
const LOCATIONS = [
  { name: 'Centru', address: { line1: 'Strada Lipscani 12', city: 'București', postal_code: '030033', country: 'RO' } },
  {
    name: 'Cluj',
    address: { line1: 'Bulevardul Eroilor 5', city: 'Cluj-Napoca', postal_code: '400129', country: 'RO' },
  },
]

/** Makes the demo clinic once; a later start finds it and leaves it as people have changed it. */
export async function seedDemo(config: Config, databaseUrl: string): Promise<void> {
  const api = createApi(config)
  const known = await fetch(`${config.publicUrl}/v1/public/organizations/resolve?slug=${CLINIC.slug}`)
  if (known.ok) return
  await makeSuperadmin(config, databaseUrl, OPERATOR)

  const clinic = await api('POST', '/v1/organizations', OPERATOR, CLINIC)
  const at = `/v1/organizations/${clinic.id}`
  const roles: { id: string; code: string }[] = await api('GET', `${at}/roles`, OPERATOR)
  for (const [email, code] of STAFF) {
    const account = demoAccounts.find((one) => one.email === email)
    const role_id = roles.find((role) => role.code === code)?.id
    await api('POST', `${at}/members`, OPERATOR, { email, name: account?.name, role_id })
  }
  const admin = STAFF[0]?.[0] ?? ''
  for (const location of LOCATIONS) await api('POST', `${at}/locations`, admin, location)
}

async function makeSuperadmin(config: Config, databaseUrl: string, email: string): Promise<void> {
  const { db, box, close } = createServices(config, 'tendon_app', databaseUrl)
  try {
    await superadminCommand(['grant', email], { db, box })
  } finally {
    await close()
  }
}

function createApi(config: Config) {
  return async (method: string, path: string, email: string, body?: unknown) => {
    const token = await mintSessionToken({
      dataDir: config.DATA_DIR,
      issuer: config.issuer,
      audience: config.AUTH_AUDIENCE,
      email,
    })
    const response = await fetch(config.publicUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Demo data: ${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text).data
  }
}
