import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathOf, tagOf } from './naming.ts'
import { operationIdOf } from './operation-id.ts'

describe('names in the OpenAPI document', () => {
  for (const [method, url, path, operationId, tag] of [
    ['GET', '/health', '/health', 'getHealth', 'health'],
    ['GET', '/v1/organizations', '/v1/organizations', 'listOrganizations', 'organizations'],
    ['PATCH', '/v1/organizations/:id', '/v1/organizations/{id}', 'updateOrganization', 'organizations'],
    [
      'DELETE',
      '/v1/organizations/:id/members/:userId',
      '/v1/organizations/{id}/members/{userId}',
      'deleteMember',
      'members',
    ],
    ['PUT', '/v1/me/switch-organization', '/v1/me/switch-organization', 'updateMySwitchOrganization', 'me'],
    [
      'GET',
      '/v1/public/organizations/resolve',
      '/v1/public/organizations/resolve',
      'getOrganizationResolve',
      'organizations',
    ],
    ['GET', '/v1/public/objects/*', '/v1/public/objects/{path}', 'getObject', 'objects'],
    ['GET', '/v1/openapi.json', '/v1/openapi.json', 'getOpenapi', 'openapi'],
    [
      'GET',
      '/v1/organizations/:id/locations/picker',
      '/v1/organizations/{id}/locations/picker',
      'listLocationsForPicker',
      'locations',
    ],
    [
      'POST',
      '/v1/form-templates/:id/publish',
      '/v1/form-templates/{id}/publish',
      'publishFormTemplate',
      'form-templates',
    ],
    ['POST', '/v1/specialties', '/v1/specialties', 'createSpecialty', 'specialties'],
    ['GET', '/v1/me/consents', '/v1/me/consents', 'listMyConsents', 'me'],
    ['GET', '/v1/patients/:id/conditions', '/v1/patients/{id}/conditions', 'listPatientConditions', 'patients'],
  ] as const) {
    test(`${method} ${url} is ${operationId}, under ${tag}`, () => {
      assert.equal(pathOf(url), path)
      assert.equal(operationIdOf(method, url), operationId)
      assert.equal(tagOf(url), tag)
    })
  }
})
