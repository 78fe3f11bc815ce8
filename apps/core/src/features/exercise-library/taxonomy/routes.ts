import type { HttpApp } from '@tendon/access'
import {
  ById,
  NoContent,
  One,
  type ShownTaxonomyTag,
  TaxonomyDeprecation,
  type TaxonomyTag,
  Usage,
} from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { authenticated, parseList, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findUsage } from '../../../platform/usage.ts'
import { AXES, type Axis } from './axes.ts'
import {
  bodyRegionNotFound,
  parentCycle,
  parentNotFound,
  platformTag,
  replacementCycle,
  replacementNotFound,
  slugExists,
  tagNotFound,
} from './errors.ts'
import { deleteTag, deprecateTag, findOwnTagForUpdate, findTag, insertTag, listTags, updateTag } from './queries.ts'
import { problemsOfChange, spelled, treeOf, withoutCanonical } from './rules.ts'

type Tx = TenantTx | PlatformTx

/** A superadmin writes the platform's values, everybody else those of their clinic. */
const write = <Result>(request: FastifyRequest, work: (tx: Tx) => Promise<Result>) =>
  request.caller.is_superadmin ? request.platform(work) : request.tenant(work)

/** The clinic sees the platform's values, so it learns that they are not its own; those of others are not there. */
async function ownTag(tx: Tx, { name }: Axis, id: string): Promise<TaxonomyTag> {
  const tag = await findOwnTagForUpdate(tx, name, id)
  if (tag) return tag
  throw (await findTag(tx, name, id)) ? platformTag() : tagNotFound()
}

const record = recorder({
  target: ({ id, name }: TaxonomyTag) => ({ type: 'taxonomy_tag', id, label: name }),
  payload: ({ id, axis }) => ({ taxonomy_tag_id: id, axis }),
  acts: {
    created: { action: 'taxonomy_tags.create', crud: 'C', event: 'taxonomy_tag.created' },
    updated: { action: 'taxonomy_tags.update', crud: 'U', event: 'taxonomy_tag.updated' },
    deprecated: { action: 'taxonomy_tags.deprecate', crud: 'U', event: 'taxonomy_tag.deprecated' },
    deleted: { action: 'taxonomy_tags.delete', crud: 'D', event: 'taxonomy_tag.deleted' },
  },
})

/** A category includes its descendants. */
async function shown(tx: Tx, { name }: Axis, tag: TaxonomyTag): Promise<{ data: ShownTaxonomyTag }> {
  if (name !== 'category') return { data: tag }
  return { data: { ...tag, children: treeOf(await listTags(tx, name, { filters: {} }), [tag.id]) } }
}

function addReads(app: HttpApp, axis: Axis): void {
  const { path, contract, list: parameters } = axis
  app.get(
    path,
    {
      config: {
        access: authenticated(),
        summary: `List ${axis.many}`,
        description: `Returns the ${axis.many} of the platform${axis.ofClinics ? ' and of your clinic' : ''}.`,
      },
      schema: {
        querystring: axis.parameters,
        response: { 200: Type.Object({ [axis.plural]: Type.Array(contract.tag) }) },
      },
    },
    async (request) => {
      const { filters, q, limit } = parseList(parameters, { ...Object(request.query), sort: undefined })
      const { parent_id: parents, ...others } = filters
      const search = parameters.q ? { limit, ...(q === undefined ? {} : { q }) } : {}
      const rows = await request.tenant((tx) => listTags(tx, axis.name, { filters: others, ...search }))
      return { [axis.plural]: axis.name === 'category' ? treeOf(rows, parents) : rows }
    },
  )

  app.get(
    `${path}/:id`,
    {
      config: {
        access: authenticated(),
        summary: `Get ${axis.one}`,
        description: 'Also returns a deprecated value.',
        refusals: [tagNotFound],
      },
      schema: { params: ById, response: { 200: One(contract.tag) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const tag = await findTag(tx, axis.name, request.params.id)
        if (!tag) throw tagNotFound()
        return shown(tx, axis, tag)
      }),
  )
}

/** What a value of the axis may refer to, and how that is refused. */
const referenceRefusals = ({ name }: Axis) => [
  ...(name === 'category' || name === 'condition' ? [parentNotFound, parentCycle] : []),
  ...(name === 'condition' ? [bodyRegionNotFound] : []),
]

function addWrites(app: HttpApp, axis: Axis): void {
  const { path, access, contract } = axis
  const own = axis.ofClinics ? [tagNotFound, platformTag] : [tagNotFound]

  app.post(
    path,
    {
      config: {
        access,
        idempotent: true,
        summary: `Create ${axis.one}`,
        description: axis.ofClinics
          ? 'Creates it in your clinic or, as a superadmin, on the platform.'
          : 'Creates it on the platform.',
        refusals: [slugExists, ...referenceRefusals(axis)],
      },
      schema: { body: contract.created, response: { 201: One(contract.tag) } },
    },
    (request, reply) => {
      const work = async (tx: Tx) => {
        const created = await insertTag(tx, axis.name, spelled(request.body))
        await record.created(request, tx, created)
        return shown(tx, axis, created)
      }
      return request.caller.is_superadmin ? request.platformCreate(reply, work) : request.tenantCreate(reply, work)
    },
  )

  app.route({
    method: axis.change,
    url: `${path}/:id`,
    config: {
      access,
      versioned: 'version',
      summary: `Update ${axis.one}`,
      description: 'The slug and the name cannot be changed.',
      refusals: [...own, ...referenceRefusals(axis)],
    },
    schema: { params: ById, body: contract.changed, response: { 200: One(contract.tag) } },
    handler: (request) =>
      write(request, async (tx) => {
        const before = await ownTag(tx, axis, request.params.id)
        await request.mustMatch(tx, before, async () => (await shown(tx, axis, before)).data)
        const wanted = spelled(request.body)
        const fields = problemsOfChange(before, wanted)
        if (Object.keys(fields).length > 0) throw validationFailed({ fields })
        // The order comes along, so that something is set also when only canonical fields were repeated.
        const after = await updateTag(tx, before.id, { sort_order: before.sort_order, ...withoutCanonical(wanted) })
        await record.updated(request, tx, before, after)
        return shown(tx, axis, after)
      }),
  })

  app.post(
    `${path}/:id/deprecate`,
    {
      config: {
        access,
        summary: `Deprecate ${axis.one}`,
        description: 'Existing uses are kept; it can no longer be chosen.',
        refusals: [...own, replacementNotFound, replacementCycle],
      },
      schema: { params: ById, body: TaxonomyDeprecation, response: { 200: One(contract.tag) } },
    },
    (request) =>
      write(request, async (tx) => {
        const before = await ownTag(tx, axis, request.params.id)
        const after = await deprecateTag(tx, before.id, request.body?.replaced_by_id ?? null)
        await record.deprecated(request, tx, before, after)
        return shown(tx, axis, after)
      }),
  )

  if (axis.change !== 'PUT') return
  app.get(
    `${path}/:id/usage`,
    {
      config: {
        access,
        summary: `List what uses ${axis.one}`,
        description: 'Call it before you delete the value.',
        refusals: [tagNotFound],
      },
      schema: { params: ById, response: { 200: One(Usage) } },
    },
    (request) =>
      write(request, async (tx) => {
        const tag = await findTag(tx, axis.name, request.params.id)
        if (!tag) throw tagNotFound()
        return { data: await findUsage(tx, 'tag', tag.id) }
      }),
  )

  app.delete(
    `${path}/:id`,
    {
      config: {
        access,
        versioned: 'header',
        summary: `Delete ${axis.one}`,
        description: 'Exercises lose the tag.',
        refusals: own,
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await write(request, async (tx) => {
        const tag = await ownTag(tx, axis, request.params.id)
        await request.mustMatch(tx, tag)
        await deleteTag(tx, tag.id)
        await record.deleted(request, tx, tag)
      })
      return reply.code(204).send(null)
    },
  )
}

export const taxonomyRoutes: Routes = (app) => {
  for (const axis of AXES) {
    addReads(app, axis)
    addWrites(app, axis)
  }
}
