import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answerContract, schemaIn } from '@tendon/http'
import { sharedCore, type TestCore } from '../testing/core.ts'

/** Edits without If-Match, each with its reason. */
const EXCEPTIONS: Record<string, string> = {
  'PATCH /v1/me': 'only its owner edits it',
  'PUT /v1/me/switch-organization': 'chooses a context, edits nothing',
  'PUT /v1/organizations/:id/plan': 'one value, set by operators alone',
  'PUT /v1/attention/:key': 'one state for the clinic: the last mark counts, and the answer says whose it is',
  'PUT /v1/exercises/:id/instructions/reorder': 'names every instruction: another set is refused',
  'DELETE /v1/admin/break-glass/:id': 'ends a grant; nothing of it is edited',
  'DELETE /v1/admin/exercises/:id/prerequisites/:prerequisite_exercise_id': 'a link; it is never edited',
  'DELETE /v1/admin/exercises/:id/tags': 'a link; it is never edited',
  'DELETE /v1/admin/platform-memberships/:principalId': 'a link; it is never edited',
  'DELETE /v1/appointments/:id/files/:fileId': 'a file is replaced, never edited',
  'DELETE /v1/appointments/:id/offer': 'an offer is answered or ended, never edited',
  'DELETE /v1/calendars/:id/overrides/:overrideId': 'an override is replaced, never edited',
  'DELETE /v1/exercises/:id/contraindications/:contraindicationId': 'a contraindication is replaced, never edited',
  'DELETE /v1/exercises/:id/instructions/:instructionId/image': 'a file is replaced, never edited',
  'DELETE /v1/exercises/:id/video': 'a file is replaced, never edited',
  'DELETE /v1/exercises/:id/video/uploads/:uploadId': 'an upload is finished or ended, never edited',
  'PATCH /v1/exercises/:id/video/uploads/:uploadId':
    'Upload-Offset says where a part begins: another offset is refused',
  'DELETE /v1/forms/:id/files/:fieldKey': 'a file is replaced, never edited',
  'DELETE /v1/me/calendar-feed': 'a secret URL; it is never edited',
  'DELETE /v1/organizations/:id/images/:imageId': 'a file is replaced, never edited',
  'DELETE /v1/organizations/:id/logo': 'a file is replaced, never edited',
  'DELETE /v1/specialists/:id/avatar': 'a file is replaced, never edited',
  'DELETE /v1/specialists/:id/signature': 'a file is replaced, never edited',
  'DELETE /v1/specialists/:id/calendar-feed': 'a secret URL; it is never edited',
  'DELETE /v1/me/memberships/:organizationId': 'a link; it is never edited',
  'DELETE /v1/me/sessions': 'sessions are never edited',
  'DELETE /v1/me/sessions/:id': 'sessions are never edited',
  'DELETE /v1/organizations/:id/domains/:domainId': 'a domain is verified, never edited',
  'DELETE /v1/organizations/:id/members/:userId': 'a membership has no version; the last manager stays',
  'DELETE /v1/organizations/:id/service-accounts/:serviceAccountId/keys/:keyId': 'keys are never edited',
  'DELETE /v1/public/bookings/:token': 'a person cancels by their own link',
  'DELETE /v1/public/holds/:id': 'holds are never edited',
  'DELETE /v1/public/waitlist-offers/:token': 'a person declines by their own link',
  'DELETE /v1/service-plans/:id/products/:productId': 'a link; it is never edited',
}

const INTEGER = new Set(['integer'])

describe('every edit', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const edits = () =>
    core.app.routes.filter(
      ({ method, config }) => ['PUT', 'PATCH', 'DELETE'].includes(String(method)) && config?.forwarded !== true,
    )
  const nameOf = ({ method, url }: { method: unknown; url: string }) => `${String(method)} ${url}`

  test('every edit accepts If-Match, or is an exception with a reason', () => {
    const without = edits().filter(({ config }) => config?.versioned === undefined)
    assert.deepEqual(new Set(without.map(nameOf)), new Set(Object.keys(EXCEPTIONS)))
  })

  test('every edit returns the new version, and accepts it in the body if the route has one', () => {
    for (const route of edits()) {
      const { config, schema } = route
      if (config?.versioned === undefined || route.method === 'DELETE') continue
      const answer = answerContract(schema?.response, '200')
      const row = answer?.properties?.data ?? answer
      const member = config.versioned === 'header' ? 'version' : config.versioned
      assert.ok(INTEGER.has(String(row?.properties?.[member]?.type)), `${nameOf(route)} answers no ${member}`)
      if (config.versioned === 'header') continue
      const body = schemaIn(schema?.body)
      assert.ok(body?.properties?.[member], `${nameOf(route)} takes no ${member}`)
    }
  })

  test('that deletes or changes a status refuses a version that is not the current one, and changes nothing', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const as = clinic.admin
    const fields = [{ key: 'q', type: 'text', label: 'Q' }]
    const role = { name: 'Desk', permissions: [] }
    for (const [path, body] of [
      [`/v1/organizations/${clinic.id}/locations`, { name: 'Centru' }],
      [`/v1/organizations/${clinic.id}/roles`, role],
      ['/v1/patients', { first_name: 'Ion', last_name: 'Pop' }],
      ['/v1/specialties', { title: 'Knees', slug: 'knees' }],
      ['/v1/specialists', { name: 'Ana', slug: 'ana' }],
      ['/v1/custom-fields', { entity_type: 'patient', key: 'sport', label: 'Sport', field_type: 'text' }],
      ['/v1/form-templates', { title: 'Intake', type: 'intake', fields }],
      ['/v1/exercises', { name: 'Squat', slug: 'own-squat' }],
      ['/v1/exercise-categories', { slug: 'own', name: 'Own' }],
      ['/v1/programs', { name: 'Knees', sessions: [] }],
      ['/v1/services', { name: 'Visit', slug: 'visit', duration_minutes: 30 }],
      ['/v1/products', { sku: 'B1', name: 'Band', price_cents: 100 }],
    ] as const) {
      const { id } = (await core.post(path, { as, body })).body.data
      const url = `${path}/${id}`
      if (path === '/v1/programs') {
        const stale = await core.put(`${url}/status`, { as, body: { status: 'archived', version: 7 } })
        assert.deepEqual([stale.status, stale.body.error?.code], [409, 'stale_version'])
      }
      const remove = (tag: string) => core.delete(url, { as, headers: { 'if-match': tag } })
      const stale = await remove('"7"')
      assert.equal(stale.status, 409, `${path} ${stale.text}`)
      assert.ok(stale.text.includes('stale_version'), path)
      const read = await core.get(url, { as })
      assert.equal(read.status, 200, path)
      const removed = await remove(read.headers.get('etag') ?? '')
      assert.ok(removed.status < 300, `${path} ${removed.text}`)
    }
  })

  test('every edit of a role template, by two operators who read the same version: the second gets 409', async () => {
    const as = await core.superadmin()
    const { body } = await core.get('/v1/admin/role-templates?limit=1', { as })
    const [{ id, name, version }] = body.data
    const save = () => core.patch(`/v1/admin/role-templates/${id}`, { as, body: { name, version } })
    const answers = [await save(), await save()]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 409],
    )
    assert.equal(answers[1]?.body.error.current_version, version + 1)
  })
})
