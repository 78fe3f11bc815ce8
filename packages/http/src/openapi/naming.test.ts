import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operationIdOf, pathOf, tagOf } from './naming.ts'

describe('names in the OpenAPI document', () => {
  for (const [method, url, path, operationId, tag] of [
    ['GET', '/health', '/health', 'getHealth', 'health'],
    ['GET', '/v1/organizations', '/v1/organizations', 'getOrganizations', 'organizations'],
    ['PATCH', '/v1/organizations/:id', '/v1/organizations/{id}', 'patchOrganizationsById', 'organizations'],
    [
      'DELETE',
      '/v1/organizations/:id/members/:userId',
      '/v1/organizations/{id}/members/{userId}',
      'deleteOrganizationsByIdMembersByUserId',
      'members',
    ],
    ['PUT', '/v1/me/switch-organization', '/v1/me/switch-organization', 'putMeSwitchOrganization', 'me'],
    [
      'GET',
      '/v1/public/organizations/resolve',
      '/v1/public/organizations/resolve',
      'getPublicOrganizationsResolve',
      'organizations',
    ],
    ['GET', '/v1/public/objects/*', '/v1/public/objects/{path}', 'getPublicObjectsByPath', 'objects'],
    ['GET', '/v1/openapi.json', '/v1/openapi.json', 'getOpenapiJson', 'openapi'],
  ] as const) {
    test(`${method} ${url} is ${operationId}, under ${tag}`, () => {
      assert.equal(pathOf(url), path)
      assert.equal(operationIdOf(method, url), operationId)
      assert.equal(tagOf(url), tag)
    })
  }
})
