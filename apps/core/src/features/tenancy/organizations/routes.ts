import {
  ById,
  listParameters,
  Many,
  NewOrganization,
  One,
  Organization,
  OrganizationChanges,
  organizationList,
  PublicOrganization,
  ResolveQuery,
} from '@tendon/contracts'
import {
  authenticated,
  membership,
  pageOf,
  parseList,
  permission,
  publicAccess,
  superadmin,
  validationFailed,
} from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { normaliseDomain } from '../domains/index.ts'
import { organizationNotFound, slugTaken, unresolved } from './errors.ts'
import {
  findOrganization,
  findOrganizationForUpdate,
  findPublicOrganization,
  insertOrganization,
  listAllOrganizations,
  listMyOrganizations,
  updateOrganization,
} from './queries.ts'

const record = recorder({
  target: ({ id, name }: Organization) => ({ type: 'organization', id, label: name }),
  payload: ({ id }) => ({ organization_id: id }),
  acts: {
    created: { action: 'organizations.create', crud: 'C', event: 'organization.created' },
    updated: { action: 'organizations.update', crud: 'U', event: 'organization.updated' },
  },
})

/** First parts of paths in the web apps that are not a clinic. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'assets',
  'bookings',
  'pose',
  'signed-in',
  'waitlist-offers',
])

export const organizationRoutes: Routes = (app) => {
  app.get(
    '/v1/public/organizations/resolve',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        operationId: 'resolveOrganization',
        summary: 'Resolve an organization',
        description: 'Finds an organization by its slug or verified domain.',
        refusals: [unresolved],
      },
      schema: { querystring: ResolveQuery, response: { 200: One(PublicOrganization) } },
    },
    async (request) => {
      const { slug, domain } = request.query
      if ((slug === undefined) === (domain === undefined)) {
        throw validationFailed({ fields: { slug: 'send either slug or domain', domain: 'send either slug or domain' } })
      }
      const by = slug === undefined ? { domain: normaliseDomain(domain ?? '') } : { slug }
      const found = await request.findPublic((tx) => findPublicOrganization(tx, by))
      if (!found) throw unresolved()
      return { data: found }
    },
  )

  app.get(
    '/v1/organizations',
    {
      config: {
        access: authenticated(),
        summary: 'List organizations',
        description: 'Returns the organizations you belong to; for a superadmin, all organizations.',
      },
      schema: { querystring: listParameters(organizationList), response: { 200: Many(Organization) } },
    },
    async (request) => {
      const list = parseList(organizationList, request.query)
      const { rows, total } = request.caller.is_superadmin
        ? await request.platform((tx) => listAllOrganizations(tx, list))
        : await request.tenant((tx) => listMyOrganizations(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/organizations',
    {
      config: {
        access: superadmin(),
        idempotent: true,
        summary: 'Create an organization',
        description: 'Also creates its roles from the role templates.',
        refusals: [slugTaken],
      },
      schema: { body: NewOrganization, response: { 201: One(Organization) } },
    },
    (request, reply) =>
      request.platformCreate(reply, async (tx) => {
        refuseReservedSlug(request.body.slug)
        const created = await insertOrganization(tx, request.body)
        await record.created(request, tx, created, { organizationId: created.id })
        return { data: created }
      }),
  )

  app.get(
    '/v1/organizations/:id',
    {
      config: { access: membership(), summary: 'Get an organization', refusals: [organizationNotFound] },
      schema: { params: ById, response: { 200: One(Organization) } },
    },
    async (request) => {
      const organization = await request.find(findOrganization)
      if (!organization) throw organizationNotFound()
      return { data: organization }
    },
  )

  app.patch(
    '/v1/organizations/:id',
    {
      config: {
        access: permission('organizations.update'),
        versioned: 'version',
        summary: 'Update an organization',
        refusals: [organizationNotFound, slugTaken],
      },
      schema: { params: ById, body: OrganizationChanges, response: { 200: One(Organization) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findOrganizationForUpdate(tx)
        if (!before) throw organizationNotFound()
        await request.mustMatch(tx, before)
        if (request.body.slug !== before.slug) refuseReservedSlug(request.body.slug)
        const after = await updateOrganization(tx, request.body)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )
}

function refuseReservedSlug(slug: string | undefined): void {
  if (slug !== undefined && RESERVED_SLUGS.has(slug))
    throw validationFailed({ fields: { slug: 'is a path of the web apps; choose another' } })
}
