import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sessionOf } from '@tendon/access'
import { LENIENT } from '@tendon/contracts'
import { type JsonSchema, schemaIn, validatorCompiler } from '@tendon/http'
import { sharedCore, type TestCore } from '../testing/core.ts'

// Walks the contracts of all bodies: a new field with such a name is covered the moment it exists.

const IS_LINE = /(^|_)(name|title|label|subject|phone|caption|alt|section)s?$|^(line1|line2|city|region|postal_code)$/
/** What somebody else wrote and signed is verified as it is. */
const AS_SIGNED = /^POST \/(webhooks\/mail\/ses|v1\/public\/consent-receipts\/verify) /

/** The schemas of text in a body, each with its path. The keys of a record and the languages of a text belong to its name. */
function textsIn(schema: JsonSchema | undefined, path: string[] = []): [string[], JsonSchema][] {
  if (!schema) return []
  const own: [string[], JsonSchema][] =
    [schema.type].flat().includes('string') && schema.enum === undefined ? [[path, schema]] : []
  const inner = (steps: string[], of: JsonSchema) => textsIn(of, [...path, ...steps])
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, of]) =>
      inner(name === 'en' || name === 'ro' ? [] : [name], of),
    ),
    ...Object.values(schema.patternProperties ?? {}).flatMap((of) => inner([], of)),
    ...(typeof schema.items === 'object' ? inner([], schema.items) : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((choices) => (choices ?? []).flatMap((of) => inner([], of))),
  ]
}

const accepts = (schema: JsonSchema, text: string): boolean =>
  validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })(text) === true

describe('names in the contracts of all routes', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const texts = () =>
    core.app.routes.flatMap(({ method, url, schema }) =>
      textsIn(schemaIn(schema?.body)).map(([path, of]) => ({
        at: `${String(method)} ${url} ${path.join('.')}`,
        name: path.at(-1) ?? '',
        of,
      })),
    )

  test('every name, title, label, subject and part of an address is one line', () => {
    const named = texts().filter(({ at, name }) => IS_LINE.test(name) && !AS_SIGNED.test(at))
    assert.ok(named.length > 150, `${named.length} fields`)
    const open = named.filter(({ of }) =>
      ['a\r\nb', 'a\nb', 'a\u2028b', 'a\u202eb', 'a\u0000b'].some((bad) => accepts(of, bad)),
    )
    assert.deepEqual(open.map(({ at }) => at), []) // biome-ignore format: one line
    for (const { at, of } of named) assert.ok(accepts(of, 'ana'), at)
  })

  test('no body is read without its contract but those of segments, whose names are tested below', () => {
    const lenient = core.app.routes.filter(({ schema }) => Object.hasOwn(schema?.body ?? {}, LENIENT))
    for (const { url } of lenient) assert.match(url, /^\/v1\/segments/)
  })

  test('notes, descriptions and other texts keep their lines', () => {
    const long = texts().filter(({ name }) =>
      /^(notes?|patient_note|description|comment|content|help_text|text)$/.test(name),
    )
    assert.ok(long.length > 40, `${long.length} fields`)
    for (const { at, of } of long) assert.ok(accepts(of, 'First line\r\nsecond line'), at)
  })

  test('a refused name says why, in both shapes of refusals, and nothing is stored', async () => {
    const clinic = await core.organization()
    const name = 'Ana\r\nBcc: all@clinic.example'
    const must = 'must be text on one line, without control characters'
    const post = (path: string, body: object) => core.post(path, { as: clinic.admin, body })
    const patient = await post('/v1/patients', { first_name: name, last_name: 'Pop' })
    assert.deepEqual([patient.status, patient.body.error.fields], [422, { first_name: must }])
    assert.deepEqual(patient.body.error.reasons, { first_name: { code: 'format', params: { format: 'line' } } })
    const field = await post('/v1/custom-fields', {
      entity_type: 'patient',
      key: 'sport',
      label: name,
      field_type: 'text',
    })
    assert.deepEqual([field.status, field.body.details.errors], [400, [{ field: 'label', message: must }]])
    const rules = [{ source: 'appointments', metric: 'count', op: 'gt', value: 1 }]
    const segment = await post('/v1/segments', { name, match_mode: 'all', rules })
    assert.equal(segment.status, 400, segment.text)
    assert.deepEqual(segment.body.details.errors[0], { field: 'name', message: must })
    const specialist = await post('/v1/specialists', { name, slug: 'ana' })
    assert.equal(Math.floor(specialist.status / 100), 4, specialist.text)
    assert.notEqual(specialist.body.error.code, 'name_required', 'a name was given')
    for (const path of ['/v1/patients', '/v1/specialists'])
      assert.equal((await core.get(path, { as: clinic.admin })).body.pagination.total, 0)
  })

  test('a name that nobody can see is refused as blank', async () => {
    const clinic = await core.organization()
    for (const name of ['\u200b', ' \u3164 ', '\u{e0041}']) {
      const patient = await core.post('/v1/patients', {
        as: clinic.admin,
        body: { first_name: name, last_name: 'Pop' },
      })
      assert.deepEqual([patient.status, patient.body.error.fields], [422, { first_name: 'must not be blank' }])
      assert.deepEqual(patient.body.error.reasons, { first_name: { code: 'blank' } })
      const rules = [{ source: 'appointments', metric: 'count', op: 'gt', value: 1 }]
      const segment = await core.post('/v1/segments', { as: clinic.admin, body: { name, match_mode: 'all', rules } })
      assert.deepEqual(segment.body.details.errors[0], { field: 'name', message: 'must not be blank' })
      assert.equal(sessionOf({ sub: 'a', name }, 'https://issuer.example')?.name, null)
    }
  })

  test('a name in a session token that is not one line is not taken over', async () => {
    const claims = (name: string) => sessionOf({ sub: 'a', name }, 'https://issuer.example')?.name
    assert.equal(claims('Ana\r\nBcc: all@clinic.example'), null)
    assert.equal(claims(' Ana Pop '), 'Ana Pop')
  })

  test('a name from before this rule is still read', async () => {
    const clinic = await core.organization()
    const { id } = await core.patient(clinic, undefined, { first_name: 'Ana\r\nMaria' })
    const read = await core.get(`/v1/patients/${id}`, { as: clinic.admin })
    assert.deepEqual([read.status, read.body.data.first_name], [200, 'Ana\r\nMaria'])
  })
})
