import type { Api } from './api.ts'

// A dozen people with consents given at the desk, two of them withdrawn; some are invited by e-mail.

const ALL = ['telerehab', 'biometric_capture', 'marketing_email', 'telemedicine']
const PATIENTS: {
  first_name: string
  last_name: string
  birth_date: string
  sex: string
  email?: string
  agrees: string[]
}[] = [
  {
    first_name: 'Maria',
    last_name: 'Stan',
    birth_date: '1961-04-12',
    sex: 'female',
    email: 'maria.stan@mail.example',
    agrees: ALL,
  },
  {
    first_name: 'Ștefan',
    last_name: 'Țurcanu',
    birth_date: '1954-09-30',
    sex: 'male',
    email: 'stefan.turcanu@mail.example',
    agrees: ['telerehab', 'biometric_capture'],
  },
  {
    first_name: 'Ioan',
    last_name: 'Mărgineanu',
    birth_date: '1978-01-17',
    sex: 'male',
    email: 'ioan.margineanu@mail.example',
    agrees: ['telerehab'],
  },
  {
    first_name: 'Elena',
    last_name: 'Dobre',
    birth_date: '1989-06-03',
    sex: 'female',
    email: 'elena.dobre@mail.example',
    agrees: ALL,
  },
  { first_name: 'Gheorghe', last_name: 'Pârvu', birth_date: '1947-11-21', sex: 'male', agrees: [] },
  {
    first_name: 'Ruxandra',
    last_name: 'Ilieș',
    birth_date: '1995-02-14',
    sex: 'female',
    agrees: ['telerehab', 'telemedicine'],
  },
  {
    first_name: 'Mihai',
    last_name: 'Câmpeanu',
    birth_date: '1983-08-08',
    sex: 'male',
    email: 'mihai.campeanu@mail.example',
    agrees: ['telerehab', 'biometric_capture'],
  },
  {
    first_name: 'Sânziana',
    last_name: 'Bălan',
    birth_date: '2001-05-25',
    sex: 'female',
    agrees: ['telerehab', 'marketing_email'],
  },
  {
    first_name: 'Oliver',
    last_name: 'Hayes',
    birth_date: '1972-12-02',
    sex: 'male',
    agrees: ['telerehab', 'biometric_capture'],
  },
  {
    first_name: 'Charlotte',
    last_name: 'Bennett',
    birth_date: '1966-03-19',
    sex: 'female',
    email: 'charlotte.bennett@mail.example',
    agrees: ALL,
  },
  {
    first_name: 'Andreea',
    last_name: 'Șerban',
    birth_date: '1992-10-11',
    sex: 'female',
    email: 'andreea.serban@mail.example',
    agrees: ['telerehab'],
  },
  {
    first_name: 'Vasile',
    last_name: 'Oprișan',
    birth_date: '1958-07-29',
    sex: 'male',
    agrees: ['telerehab', 'telemedicine'],
  },
]
/** The subject of a person whom the identity provider does not list. */
export const nameOf = (address: string): string | undefined => {
  const found = PATIENTS.find(({ email }) => email === address)
  return found && `${found.first_name} ${found.last_name}`
}

const REQUIRED = ['org_terms', 'org_privacy_notice']
const WITHDRAWN: [string, string][] = [
  ['Elena', 'marketing_email'],
  ['Charlotte', 'biometric_capture'],
]

export async function seedPatients(api: Api, at: string, admin: string): Promise<void> {
  await publishNotice(api, at, admin)
  const agreed = await agreements(api, admin)
  for (const { agrees, email, ...person } of PATIENTS) {
    const consents = agreed(agrees)
    const patient = await api.post('/v1/patients', admin, {
      ...person,
      ...(email ? { email, invite: true } : {}),
      consents,
    })
    const withdrawn = WITHDRAWN.find(([name]) => name === person.first_name)?.[1]
    if (withdrawn !== undefined) await withdraw(api, `${at}/patients/${patient.id}/consents`, admin, withdrawn)
  }
}

/** Optional consents given at the desk, to the current texts. */
export async function agreements(api: Api, staff: string) {
  const purposes: { code: string; current: { version: number } | null }[] = await api.get(
    '/v1/consent-purposes?limit=100',
    staff,
  )
  const versionOf = (code: string) => purposes.find((purpose) => purpose.code === code)?.current?.version ?? 1
  return (codes: readonly string[]) =>
    [...REQUIRED, ...codes].map((code) => ({ purpose_code: code, purpose_version: versionOf(code) }))
}

async function publishNotice(api: Api, at: string, admin: string): Promise<void> {
  const [template] = await api.get('/v1/privacy-notice-templates', admin)
  const values: Record<string, string> = {
    clinic_name: 'Clinica Mlădița',
    legal_name: 'Mlădița Medical SRL',
    address: 'Strada Lipscani 12, București',
    contact_email: 'contact@mladita.example',
    phone: '+40 21 555 0100',
    dpo_contact: 'dpo@mladita.example',
    retention_years: '10',
  }
  const keys: string[] = template.placeholders.map((placeholder: { key: string }) => placeholder.key)
  await api.put(`${at}/privacy-notice`, admin, {
    placeholder_values: Object.fromEntries(keys.map((key) => [key, values[key] ?? '–'])),
    included_sections: template.toggleable_sections
      .filter((section: { default: boolean }) => section.default)
      .map((section: { key: string }) => section.key),
  })
  await api.post(`${at}/privacy-notice/publish`, admin, {})
}

async function withdraw(api: Api, consents: string, admin: string, purpose: string): Promise<void> {
  const rows: { purpose_code: string; current: { id: string } | null }[] = await api.get(consents, admin)
  const id = rows.find((row) => row.purpose_code === purpose)?.current?.id
  if (id !== undefined)
    await api.post(`${consents}/${id}/withdraw`, admin, { withdrawal_reason: 'La cererea pacientei' })
}
