import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isObject } from '@tendon/contracts'
import { type TSchema, Type } from 'typebox'
import { sharedCore, type TestCore } from '../testing/core.ts'

/** Members whose value can be the id or name of a patient, or of somebody who books without an account. */
const OF_PATIENT = /^(patients?|booker|visitor|first_name|last_name|birth_date|national_id)$|^(patient|booker|visitor)_/
/** A number or a yes names nobody. */
const NAMES_NOBODY = new Set(['integer', 'number', 'boolean', 'null'])

/** Answers that may name a patient although their route does not declare `patientData`, each with its reason. */
const OWN_RECORDS = 'the records of the caller'
const OWN_LOG = 'an operator reads the entries of the platform here, never those of a clinic'
const WITHOUT_FLAG: Record<string, string> = {
  'GET /v1/me': OWN_RECORDS,
  'PATCH /v1/me': OWN_RECORDS,
  'PUT /v1/me/switch-organization': OWN_RECORDS,
  'GET /v1/audit-logs': OWN_LOG,
  'GET /v1/audit-logs/:id': OWN_LOG,
  'GET /v1/audit-logs/export': OWN_LOG,
  'POST /v1/admin/break-glass': 'the patient that the operator names to get access',
  'GET /v1/admin/break-glass': 'the patients that operators named to get access',
  'GET /v1/organizations/:id/break-glass': 'the patients that operators named to get access',
  'POST /v1/pdf-templates/preview': 'a sample without a patient',
}

type Schema = Readonly<Record<string, unknown>>

const schemasIn = (value: unknown): Schema[] =>
  (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []).filter(isObject)

/** Where an answer can name a patient: the paths of such members, at any depth. */
function membersOfPatients(schema: unknown, path = ''): string[] {
  if (!isObject(schema)) return []
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const inside = ['anyOf', 'oneOf', 'allOf', 'patternProperties'].flatMap((key) => schemasIn(schema[key]))
  return [
    ...members.flatMap(([name, member]) => {
      const here = path === '' ? name : `${path}.${name}`
      return OF_PATIENT.test(name) && !namesNobody(member) ? [here] : membersOfPatients(member, here)
    }),
    ...[schema.items, schema.additionalProperties, ...inside].flatMap((one) => membersOfPatients(one, path)),
  ]
}

function namesNobody(member: unknown): boolean {
  if (!isObject(member) || member.type === undefined) return false
  return [member.type].flat().every((type) => typeof type === 'string' && NAMES_NOBODY.has(type))
}

describe('answers that name patients', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('members of an answer that name a patient are found at any depth; counts are none', () => {
    const found = (schema: TSchema) => membersOfPatients(schema)
    const patient = Type.Object({ id: Type.String(), name: Type.String() })
    const nullable = Type.Union([patient, Type.Null()])
    assert.deepEqual(found(Type.Object({ data: Type.Array(Type.Object({ patient: nullable })) })), ['data.patient'])
    assert.deepEqual(found(Type.Record(Type.String(), Type.Object({ booker_name: Type.String() }))), ['booker_name'])
    assert.deepEqual(found(Type.Object({ visits: Type.Union([Type.Object({ patient_id: Type.Unknown() })]) })), [
      'visits.patient_id',
    ])
    const optional = Type.Unsafe<string | null>({ type: ['string', 'null'] })
    assert.deepEqual(found(Type.Object({ patient_profile_id: optional })), ['patient_profile_id'])
    assert.deepEqual(
      found(Type.Object({ patients: Type.Integer(), specialist_id: optional, has_patient: optional })),
      [],
    )
  })

  test('a route whose answer can name a patient declares it, or has a reason not to', () => {
    const undeclared = core.app.routes.flatMap(({ method, url, schema, config }) => {
      // The routes of patients answer with their own records, those of everybody to the owner of a link; no operator can call them.
      if (config?.patientData || config?.access?.kind === 'patient' || config?.access?.kind === 'public') return []
      const answers = Object.entries(isObject(schema?.response) ? schema.response : {})
      const found = answers.flatMap(([status, one]) => (status.startsWith('2') ? membersOfPatients(one) : []))
      const files = config?.produces === undefined ? [] : [config.produces]
      return [...found, ...files].length > 0 ? [`${String(method)} ${url}`] : []
    })
    assert.deepEqual(undeclared.toSorted(), Object.keys(WITHOUT_FLAG).toSorted())
  })

  test('a route with a patient in its URL declares it', () => {
    const without = core.app.routes.filter(
      ({ url, config }) => /\/patients(\/|$)|:patient/i.test(url) && !config?.patientData,
    )
    assert.deepEqual(
      without.map(({ url }) => url),
      [],
    )
  })

  test('an operator reads the executions of automations of a clinic under break-glass only, and changes none', async () => {
    const [operator, clinic] = [await core.superadmin(), await core.organization()]
    const path = '/v1/automation-executions'
    const options = { as: operator, headers: { 'x-organization-id': clinic.id } }
    const codeOf = async (answer: ReturnType<TestCore['get']>) => (await answer).body.error?.code
    assert.equal(await codeOf(core.get(path, options)), 'break_glass_required')
    const body = { organization_id: clinic.id, reason: 'Support ticket 4711: a rule ran twice for one visit' }
    assert.equal((await core.post('/v1/admin/break-glass', { as: operator, body })).status, 201)
    const listed = await core.get(path, options)
    assert.deepEqual([listed.status, listed.body.data], [200, []])
    assert.equal(await codeOf(core.get(`${path}/${clinic.id}`, options)), 'execution_not_found')
    assert.equal(await codeOf(core.post(`${path}/${clinic.id}/cancel`, options)), 'forbidden')
    const trace = await core.get('/v1/audit-logs?action=break_glass.read', { as: clinic.admin })
    assert.equal(trace.body.data.length, 2)
    assert.equal((await core.get(path, { as: clinic.admin })).status, 200)
  })

  test('search finds the routes that are known to name patients', () => {
    const of = (url: string) => core.app.routes.find((route) => route.url === url && route.method === 'GET')
    for (const url of ['/v1/patients', '/v1/appointments', '/v1/session-runs', '/v1/forms', '/v1/treatment-plans']) {
      const response = of(url)?.schema?.response
      assert.ok(isObject(response) && membersOfPatients(response['200']).length > 0, url)
    }
  })
})
