import { randomBytes } from 'node:crypto'
import { changesBetween, hashApiKey } from '@tendon/access'
import {
  ApiKey,
  ApiKeyParams,
  apiKeyList,
  CreatedApiKey,
  listParameters,
  Many,
  NewApiKey,
  NoContent,
  One,
  ServiceAccountParams,
} from '@tendon/contracts'
import { pageOf, parseList, permission, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { assignableRole, LOCKING_ROLE } from '../members/index.ts'
import {
  apiKeyLimit,
  apiKeyNotFound,
  keyExceedsCaller,
  keysByPeopleOnly,
  keysByTheClinic,
  serviceAccountNotFound,
} from './errors.ts'
import {
  countApiKeysInUse,
  findApiKeyForUpdate,
  findServiceAccount,
  findServiceAccountForUpdate,
  insertApiKey,
  listApiKeys,
  updateApiKeyRevoked,
} from './queries.ts'
import { futureMoment, MAX_ACTIVE_API_KEYS } from './rules.ts'

const API_KEY_BYTES = 32
const PREFIX_LENGTH = 11

const access = permission('organizations.manage_members')

const record = recorder({
  target: ({ id, name }: ApiKey) => ({ type: 'api_key', id, label: name }),
  payload: ({ id }) => ({ api_key_id: id }),
  acts: {
    created: { action: 'api_keys.create', crud: 'C', event: 'api_key.created' },
    revoked: { action: 'api_keys.revoke', crud: 'U', event: 'api_key.revoked' },
  },
})

export const keyRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/organizations/:id/service-accounts/:serviceAccountId/keys',
    {
      config: { access, summary: 'List API keys', refusals: [serviceAccountNotFound] },
      schema: {
        params: ServiceAccountParams,
        querystring: listParameters(apiKeyList),
        response: { 200: Many(ApiKey) },
      },
    },
    async (request) => {
      const { serviceAccountId } = request.params
      const list = parseList(apiKeyList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await findServiceAccount(tx, serviceAccountId))) throw serviceAccountNotFound()
        return listApiKeys(tx, serviceAccountId, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/organizations/:id/service-accounts/:serviceAccountId/keys',
    {
      config: {
        access,
        service: LOCKING_ROLE,
        idempotent: true,
        summary: 'Create an API key',
        description: 'The response is the only place where the key is shown.',
        refusals: [keysByPeopleOnly, keysByTheClinic, serviceAccountNotFound, apiKeyLimit, keyExceedsCaller],
      },
      schema: { params: ServiceAccountParams, body: NewApiKey, response: { 201: One(CreatedApiKey) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        if (request.caller.kind !== 'human') throw keysByPeopleOnly()
        if (request.caller.is_superadmin) throw keysByTheClinic()
        const expires_at = readExpiry(request.body.expires_at ?? null, now())
        const account = await findServiceAccountForUpdate(tx, request.params.serviceAccountId)
        if (!account) throw serviceAccountNotFound()
        await assignableRole(tx, account.role.id, keyExceedsCaller)
        if ((await countApiKeysInUse(tx, account.id)) >= MAX_ACTIVE_API_KEYS) {
          throw apiKeyLimit({ max: MAX_ACTIVE_API_KEYS })
        }
        const key = `tk_${randomBytes(API_KEY_BYTES).toString('base64url')}`
        const created = await insertApiKey(tx, {
          service_account_id: account.id,
          name: request.body.name,
          prefix: key.slice(0, PREFIX_LENGTH),
          hash: hashApiKey(key),
          expires_at,
        })
        const service_account_id = account.id
        const changes = changesBetween({}, { name: created.name, expires_at, service_account_id })
        await record.created(request, tx, created, { changes, payload: { service_account_id } })
        return { data: { ...created, key } }
      }),
  )

  app.delete(
    '/v1/organizations/:id/service-accounts/:serviceAccountId/keys/:keyId',
    {
      config: {
        access,
        operationId: 'revokeServiceAccountKey',
        summary: 'Revoke an API key',
        description: 'The key stops working immediately.',
        refusals: [apiKeyNotFound],
      },
      schema: { params: ApiKeyParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { serviceAccountId, keyId } = request.params
      await request.tenant(async (tx) => {
        const before = await findApiKeyForUpdate(tx, serviceAccountId, keyId)
        if (!before) throw apiKeyNotFound()
        if (before.revoked_at !== null) return
        const after = await updateApiKeyRevoked(tx, keyId)
        await record.revoked(request, tx, before, after, { payload: { service_account_id: serviceAccountId } })
      })
      return reply.code(204).send(null)
    },
  )
}

function readExpiry(text: string | null, now: Date): string | null {
  if (text === null) return null
  const moment = futureMoment(text, now)
  if (moment === undefined) throw validationFailed({ fields: { expires_at: 'must be a time in the future' } })
  return moment
}
