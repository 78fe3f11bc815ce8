import type { Api, Json } from './api.ts'

// The clinic's records: specialists, custom fields, an intake form and an assessment in both languages, some completed
// and one signed, and three segments that find patients by them.

const SPECIALTIES = [
  { title: 'Kinetoterapie', slug: 'kinetoterapie' },
  { title: 'Medicină de recuperare', slug: 'recuperare' },
]
const SPECIALISTS = [
  {
    name: 'Andrei Popescu',
    slug: 'andrei-popescu',
    title: 'Kinetoterapeut',
    specialty: 'kinetoterapie',
    account: 'andrei.popescu@mladita.example',
  },
  {
    name: 'Emily Carter',
    slug: 'emily-carter',
    title: 'Physiotherapist',
    specialty: 'recuperare',
    account: 'emily.carter@mladita.example',
  },
]

const FIELDS = [
  { key: 'pain_level', label: 'Durerea azi (0–10)', field_type: 'number', sort_order: 10 },
  {
    key: 'affected_region',
    label: 'Zona afectată',
    field_type: 'select',
    options: ['Genunchi', 'Șold', 'Umăr', 'Spate', 'Gât', 'Gleznă'],
    sort_order: 11,
  },
  {
    key: 'goals',
    label: 'Ce vă doriți',
    field_type: 'checkbox',
    options: ['Mai puțină durere', 'Să merg mai mult', 'Să revin la sport', 'Să dorm mai bine'],
    sort_order: 12,
  },
  { key: 'surgery_date', label: 'Data operației', field_type: 'date', sort_order: 13 },
  { key: 'risk_note', label: 'Observații interne', field_type: 'textarea', is_private: true, sort_order: 14 },
]

type FieldIds = Record<string, string>
const linked = (ids: FieldIds, key: string) => {
  const field = FIELDS.find((one) => one.key === key)
  return { key, custom_field_id: ids[key], type: field?.field_type, label: field?.label }
}
const ENGLISH_OPTIONS = {
  affected_region: { Genunchi: 'Knee', Șold: 'Hip', Umăr: 'Shoulder', Spate: 'Back', Gât: 'Neck', Gleznă: 'Ankle' },
  goals: {
    'Mai puțină durere': 'Less pain',
    'Să merg mai mult': 'To walk more',
    'Să revin la sport': 'Back to sports',
    'Să dorm mai bine': 'To sleep better',
  },
}

const intake = (ids: FieldIds) => ({
  title: 'Chestionar de început',
  description: 'Se completează înainte de prima ședință.',
  type: 'intake',
  fields: [
    { ...linked(ids, 'affected_region'), required: true, section: 'Problema' },
    { ...linked(ids, 'pain_level'), required: true, min: 0, max: 10, section: 'Problema' },
    {
      key: 'operated',
      label: 'Ați fost operat?',
      type: 'radio',
      options: ['Da', 'Nu'],
      required: true,
      section: 'Trecut',
    },
    {
      ...linked(ids, 'surgery_date'),
      required: true,
      section: 'Trecut',
      visible_when: { mode: 'all', conditions: [{ field_key: 'operated', op: 'eq', value: 'Da' }] },
    },
    {
      key: 'report',
      label: 'Scrisoare medicală',
      type: 'file',
      allowed_file_types: ['application/pdf'],
      section: 'Trecut',
    },
    { ...linked(ids, 'goals'), section: 'Scop' },
  ],
  translations: {
    en: {
      title: 'First questions',
      description: 'To be filled in before the first session.',
      sections: { Problema: 'The problem', Trecut: 'History', Scop: 'Goals' },
      fields: {
        affected_region: { label: 'Affected region', options: ENGLISH_OPTIONS.affected_region },
        pain_level: { label: 'Pain today (0–10)' },
        operated: { label: 'Did you have surgery?', options: { Da: 'Yes', Nu: 'No' } },
        surgery_date: { label: 'Date of the surgery' },
        report: { label: 'Medical letter' },
        goals: { label: 'What you wish for', options: ENGLISH_OPTIONS.goals },
      },
    },
  },
})

const assessment = (ids: FieldIds) => ({
  title: 'Evaluare kinetoterapeutică',
  type: 'assessment',
  fields: [
    { ...linked(ids, 'pain_level'), required: true, min: 0, max: 10 },
    { key: 'flexion', label: 'Flexie (grade)', type: 'number', min: 0, max: 180, required: true },
    { key: 'finding', label: 'Constatare', type: 'textarea', required: true },
    { ...linked(ids, 'risk_note'), private: true },
  ],
  translations: {
    en: {
      title: 'Physiotherapy assessment',
      fields: {
        pain_level: { label: 'Pain today (0–10)' },
        flexion: { label: 'Flexion (degrees)' },
        finding: { label: 'Finding' },
        risk_note: { label: 'Internal note' },
      },
    },
  },
})

const ANSWERS: { patient: string; region: string; pain: number; operated?: string; goals: string[] }[] = [
  {
    patient: 'Stan',
    region: 'Genunchi',
    pain: 7,
    operated: '2026-08-20',
    goals: ['Mai puțină durere', 'Să merg mai mult'],
  },
  { patient: 'Țurcanu', region: 'Șold', pain: 5, operated: '2026-10-02', goals: ['Să merg mai mult'] },
  { patient: 'Dobre', region: 'Umăr', pain: 3, goals: ['Să revin la sport'] },
  { patient: 'Hayes', region: 'Spate', pain: 8, goals: ['Mai puțină durere', 'Să dorm mai bine'] },
  { patient: 'Bennett', region: 'Genunchi', pain: 4, goals: ['Să merg mai mult'] },
]

/** Creates what is missing, so that the next start completes an interrupted one. */
export async function seedRecords(
  api: Api,
  organizationPath: string,
  admin: string,
  specialist: string,
): Promise<void> {
  const ensure = async (path: string, existing: { id: string }[], is: Record<string, unknown>, body: object) => {
    const [key, value] = Object.entries(is)[0] ?? []
    const known = existing.find((row) => (row as Record<string, unknown>)[key ?? ''] === value)
    return (known ?? (await api.post(path, admin, body))).id as string
  }
  const list = (path: string) => api.get(`${path}?limit=100`, admin)

  const specialties: Record<string, string> = {}
  for (const specialty of SPECIALTIES) {
    const { slug } = specialty
    specialties[slug] = await ensure('/v1/specialties', await list('/v1/specialties'), { slug }, specialty)
  }
  const members: Json[] = await api.get(`${organizationPath}/members/picker?limit=50`, admin)
  for (const { specialty, account, ...person } of SPECIALISTS) {
    const human_id = members.find(({ email }) => email === account)?.id ?? null
    const body = { ...person, human_id, specialty_ids: [specialties[specialty]] }
    await ensure('/v1/specialists', await list('/v1/specialists'), { slug: person.slug }, body)
  }

  const ids: FieldIds = {}
  const { fields } = await api.raw('/v1/custom-fields?entity_type=patient', admin)
  for (const field of FIELDS) {
    const body = { entity_type: 'patient', ...field }
    ids[field.key] = await ensure('/v1/custom-fields', fields, { key: field.key }, body)
  }
  const templates: Record<string, string> = {}
  for (const [name, body] of Object.entries({ intake: intake(ids), assessment: assessment(ids) })) {
    const id = await ensure('/v1/form-templates', await list('/v1/form-templates'), { title: body.title }, body)
    if ((await api.get(`/v1/form-templates/${id}`, admin)).version === 0)
      await api.post(`/v1/form-templates/${id}/publish`, admin, {})
    templates[name] = id
  }
  if ((await api.count('/v1/forms', admin)) === 0) await seedForms(api, specialist, ids, templates)
  const { segments } = await api.raw('/v1/segments', admin)
  for (const segment of segmentsOf(ids, templates.intake)) {
    await ensure('/v1/segments', segments, { name: segment.name }, segment)
  }
}

async function seedForms(api: Api, specialist: string, ids: FieldIds, templates: Record<string, string>) {
  const patients: { last_name: string; patient_profile_id: string }[] = await api.get(
    '/v1/patients?limit=100',
    specialist,
  )
  const fill = async (template: string | undefined, patient: string, values: Record<string, unknown>) => {
    const patient_profile_id = patients.find(({ last_name }) => last_name === patient)?.patient_profile_id
    const { id } = await api.post('/v1/forms', specialist, { form_template_id: template, patient_profile_id })
    const keyed = Object.entries(values).map(([key, value]) => [`field_${ids[key] ?? key}`, value])
    await api.put(`/v1/forms/${id}`, specialist, { values: Object.fromEntries(keyed) })
    return id
  }
  for (const { patient, region, pain, operated, goals } of ANSWERS) {
    await fill(templates.intake, patient, {
      affected_region: region,
      pain_level: pain,
      goals,
      operated: operated === undefined ? 'Nu' : 'Da',
      ...(operated === undefined ? {} : { surgery_date: operated }),
    })
  }
  const signed = await fill(templates.assessment, 'Stan', {
    pain_level: 6,
    flexion: 95,
    finding: 'Flexie limitată, fără instabilitate.',
    risk_note: 'A se verifica tensiunea la fiecare vizită.',
  })
  await api.post(`/v1/forms/${signed}/sign`, specialist, {})
}

function segmentsOf(ids: FieldIds, template: string | undefined) {
  const profile = (key: string, op: string, value: unknown) => ({
    source: 'profile',
    custom_field_id: ids[key],
    op,
    value,
  })
  return [
    {
      name: 'Durere mare',
      description: 'De sunat săptămâna aceasta',
      match_mode: 'all',
      rules: [profile('pain_level', 'gte', 6)],
    },
    {
      name: 'Operați în ultimele șase luni',
      description: 'Genunchi și șold',
      match_mode: 'all',
      rules: [
        profile('surgery_date', 'in_last', { amount: 6, unit: 'months' }),
        profile('affected_region', 'in', ['Genunchi', 'Șold']),
      ],
    },
    {
      name: 'Vor să revină la sport',
      description: 'După chestionarul de început',
      match_mode: 'any',
      rules: [
        {
          source: 'form',
          template_id: template,
          custom_field_id: ids.goals,
          op: 'contains',
          value: 'Să revin la sport',
        },
      ],
    },
  ]
}
