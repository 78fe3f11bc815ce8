import { isDeepStrictEqual } from 'node:util'
import { type Change, changesBetween } from '@tendon/access'
import {
  ById,
  ConnectionTest,
  listParameters,
  Many,
  NewPlatformServiceProvider,
  One,
  PlatformServiceProvider,
  PlatformServiceProviderChanges,
  platformServiceProviderList,
} from '@tendon/contracts'
import { pageOf, parseList, superadmin, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { createOwnHostCheck } from '../../tenancy/domains/index.ts'
import { createPlatformProviders, credentialsPlace } from './cache.ts'
import { checkProvider } from './checks.ts'
import { capabilityTaken, providerNotAllowed, providerNotFound } from './errors.ts'
import { findProvider, findProviderForUpdate, insertProvider, listProviders, updateProvider } from './queries.ts'
import { allowedFor, problemsOf } from './schemas.ts'

const targetOf = ({ id, capability }: PlatformServiceProvider) => ({
  type: 'platform_service_provider',
  id,
  label: capability,
})

/** Secrets are audited as changed, without their value. */
const secretChange = (before: boolean): Change[] => [
  { field: 'credentials', before: before ? 'set' : null, after: 'changed' },
]

interface Content {
  config?: Record<string, unknown>
  credentials?: object
}

function checkContent(capability: string, given: Content, isLocal: boolean, ownUrls: Record<string, string>): void {
  const allowed = allowedFor(capability)
  if (!allowed) throw providerNotAllowed()
  const fields = {
    ...(given.config ? problemsOf(allowed.config, given.config, 'config') : {}),
    ...(given.credentials ? problemsOf(allowed.credentials, given.credentials, 'credentials') : {}),
    ...ownUrls,
  }
  if (given.config?.endpoint_url && !isLocal)
    fields['config.endpoint_url'] = 'must be empty: it is for local use, with OUTBOUND_ALLOW_PRIVATE'
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
}

/** The secret of an OAuth client is sent to the URLs in its config: with other URLs it must be given again. */
function refuseOtherUrls({ capability, config }: PlatformServiceProvider, given: Content): void {
  if (capability === 'email' || !given.config || given.credentials || isDeepStrictEqual(given.config, config)) return
  throw validationFailed({
    fields: { credentials: 'must be sent with a changed config, because they are sent to its URLs' },
  })
}

export const platformServiceProviderRoutes: Routes = (app, services) => {
  const { box, platformProviders } = services
  const isLocal = services.config.OUTBOUND_ALLOW_PRIVATE === 'true'
  const access = superadmin()
  const isOwnHost = createOwnHostCheck(services)

  /** Fields of a config that are URLs of the platform itself. Asks the database, so it is called outside a transaction. */
  async function ownUrlsIn(config: object = {}): Promise<Record<string, string>> {
    const fields: Record<string, string> = {}
    for (const [name, value] of Object.entries(config)) {
      const url = URL.parse(String(value))
      if (url && (await isOwnHost(null, url))) fields[`config.${name}`] = 'must not be a URL of this platform'
    }
    return fields
  }

  const sealed = (id: string, credentials: object) => box.seal(JSON.stringify(credentials), credentialsPlace(id))

  app.get(
    '/v1/admin/platform-service-providers',
    {
      config: { access, latency: 'simple_read', summary: 'List platform providers' },
      schema: {
        querystring: listParameters(platformServiceProviderList),
        response: { 200: Many(PlatformServiceProvider) },
      },
    },
    async (request) => {
      const list = parseList(platformServiceProviderList, request.query)
      const { rows, total } = await request.platform((tx) => listProviders(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/admin/platform-service-providers/:id',
    {
      config: {
        access,
        latency: 'simple_read',
        summary: 'Get a platform provider',
        refusals: [providerNotFound],
      },
      schema: { params: ById, response: { 200: One(PlatformServiceProvider) } },
    },
    async (request) => {
      const provider = await request.platform((tx) => findProvider(tx, request.params.id))
      if (!provider) throw providerNotFound()
      return { data: provider }
    },
  )

  app.post(
    '/v1/admin/platform-service-providers',
    {
      config: {
        access,
        latency: 'simple_write',
        idempotent: true,
        summary: 'Add a platform provider',
        refusals: [capabilityTaken, providerNotAllowed],
      },
      schema: { body: NewPlatformServiceProvider, response: { 201: One(PlatformServiceProvider) } },
    },
    async (request, reply) => {
      const { capability, provider, config = {}, credentials = {} } = request.body
      if (allowedFor(capability)?.provider !== provider) throw providerNotAllowed()
      checkContent(capability, { config, credentials }, isLocal, await ownUrlsIn(config))
      const created = await request.platformCreate(reply, async (tx) => {
        const { id } = await insertProvider(tx, { capability, provider, config })
        const after = await updateProvider(tx, id, { credentials_encrypted: sealed(id, credentials) })
        const changes = [...changesBetween({}, after), ...secretChange(false)]
        const entry = {
          action: 'platform_service_providers.create',
          crud: 'C',
          target: targetOf(after),
          changes,
        } as const
        await request.audit(tx, entry, null)
        return { data: after }
      })
      platformProviders.forget()
      return created
    },
  )

  app.patch(
    '/v1/admin/platform-service-providers/:id',
    {
      config: {
        access,
        latency: 'simple_write',
        versioned: 'version',
        summary: 'Update a platform provider',
        description:
          'Replaces `credentials` and `config` as a whole. Other servers follow within five minutes. The URLs of an OAuth client are changed together with its credentials.',
        refusals: [providerNotFound, capabilityTaken, providerNotAllowed],
      },
      schema: { params: ById, body: PlatformServiceProviderChanges, response: { 200: One(PlatformServiceProvider) } },
    },
    async (request) => {
      const { credentials, ...changes } = request.body
      const ownUrls = await ownUrlsIn(changes.config)
      const changed = await request.platform(async (tx) => {
        const before = await findProviderForUpdate(tx, request.params.id)
        if (!before) throw providerNotFound()
        await request.mustMatch(tx, before)
        checkContent(before.capability, request.body, isLocal, ownUrls)
        refuseOtherUrls(before, request.body)
        const secret = credentials ? { credentials_encrypted: sealed(before.id, credentials) } : {}
        const after = await updateProvider(tx, before.id, { ...changes, ...secret })
        const audited = [...changesBetween(before, after), ...(credentials ? secretChange(before.has_credentials) : [])]
        const target = targetOf(after)
        const entry = { action: 'platform_service_providers.update', crud: 'U', target, changes: audited } as const
        await request.audit(tx, entry, null)
        return { data: after }
      })
      platformProviders.forget()
      return changed
    },
  )

  app.post(
    '/v1/admin/platform-service-providers/:id/test',
    {
      config: {
        access,
        latency: 'complex_write',
        operationId: 'testPlatformServiceProvider',
        summary: 'Test a platform provider',
        description:
          'If the provider does not work, the response says so; the request still succeeds. No status changes.',
        refusals: [providerNotFound],
      },
      schema: { params: ById, response: { 200: One(ConnectionTest) } },
    },
    async (request) => {
      const row = await request.platform((tx) => findProvider(tx, request.params.id))
      if (!row) throw providerNotFound()
      const provider = await createPlatformProviders(services.db, box, services.now).of(row.capability)
      const start = performance.now()
      const error_code = provider?.id === row.id ? await checkProvider(services, row.capability, provider) : 'inactive'
      const duration_ms = Math.round(performance.now() - start)
      await request.platform((tx) =>
        request.audit(
          tx,
          {
            action: 'platform_service_providers.test',
            crud: 'E',
            target: targetOf(row),
            outcome: error_code === null ? 'success' : 'failure',
          },
          null,
        ),
      )
      return { data: { ok: error_code === null, error_code, duration_ms } }
    },
  )
}
