import type { HttpApp } from '@tendon/access'
import {
  ById,
  type List,
  listParameters,
  Many,
  NoContent,
  One,
  type TEMPLATE_STATUSES,
  TemplateVersionParams,
  templateVersionList,
  Usage,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { membership, pageOf, parseList, permission, type Refusal } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Recorder } from './recorder.ts'
import { addRestoreRoute } from './restore.ts'
import {
  archiveTemplate,
  deleteTemplate,
  publishTemplate,
  type TemplateTable,
  unarchiveTemplate,
} from './template-queries.ts'
import { findUsage } from './usage.ts'

// Templates that are published in versions. The row is the draft, or equals its last version. `draft` becomes
// `published`, which copies the row as the next version; a change makes it a draft again, and the version stays in force.
// Both can be archived; unarchiving compares the row with its version. A feature adds its list, creation and change.

interface Template {
  id: string
  status: (typeof TEMPLATE_STATUSES)[number]
  version: number
  revision: number
}

type Changed = { action: string; crud: 'U' }
type Deleted = { action: string; crud: 'D' }

export interface VersionedTemplates<Row extends Template> extends TemplateTable {
  url: `/v1/${string}-templates`
  usage: 'form_template' | 'pdf_template'
  /** The permission that every write needs. */
  access: string
  /** For summaries, such as `a form template`. */
  one: string
  /** What is created from templates, such as `forms`. */
  made: string
  /** What deleting leaves alone. */
  afterDeletion: string
  contracts: { template: TSchema; version: TSchema; versionSummary: TSchema }
  refusals: { notFound: Refusal; archived: Refusal; notArchived: Refusal; nothingToPublish: Refusal; invalid?: Refusal }
  read: (tx: TenantTx, id: string) => Promise<Row | undefined>
  /** Locks the row, so that version numbers have no gaps or duplicates. */
  readForUpdate: (tx: TenantTx, id: string) => Promise<Row | undefined>
  listVersions: (tx: TenantTx, id: string, list: List) => Promise<{ rows: object[]; total: number }>
  findVersion: (tx: TenantTx, id: string, version: number) => Promise<object | undefined>
  /** What publishing sets; undefined: there is nothing to publish. Unless given, a draft is published as it is. */
  prepare?: (tx: TenantTx, draft: Row) => Promise<{ fields?: string } | undefined>
  record: Recorder<
    Row,
    { deleted: Deleted; restored: Changed; published: Changed; archived: Changed; unarchived: Changed }
  >
}

/** The template that a request may change, locked. */
export async function templateToChange<Row extends Template>(
  request: FastifyRequest,
  tx: TenantTx,
  { readForUpdate, refusals }: Pick<VersionedTemplates<Row>, 'readForUpdate' | 'refusals'>,
  id: string,
): Promise<Row> {
  const before = await readForUpdate(tx, id)
  if (!before) throw refusals.notFound()
  await request.mustMatch(tx, { ...before, version: before.revision }, async () => before)
  if (before.status === 'archived') throw refusals.archived()
  return before
}

/** Adds the routes of one template and of its versions. */
export function addTemplateRoutes<Row extends Template>(app: HttpApp, templates: VersionedTemplates<Row>): void {
  const { url, one, contracts, refusals, read, record } = templates
  const { notFound } = refusals
  const manage = permission(templates.access)

  app.get(
    `${url}/:id`,
    {
      config: {
        access: membership(),
        summary: `Get ${one}`,
        description: 'When the template has a draft, returns the draft.',
        refusals: [notFound],
      },
      schema: { params: ById, response: { 200: One(contracts.template) } },
    },
    async (request) => {
      const template = await request.find((tx) => read(tx, request.params.id))
      if (!template) throw notFound()
      return { data: template }
    },
  )

  app.get(
    `${url}/:id/usage`,
    {
      config: {
        access: manage,
        summary: `List what uses ${one}`,
        description: 'Call it before you delete the template.',
        refusals: [notFound],
      },
      schema: { params: ById, response: { 200: One(Usage) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const template = await read(tx, request.params.id)
        if (!template) throw notFound()
        return { data: await findUsage(tx, templates.usage, template.id) }
      }),
  )

  app.delete(
    `${url}/:id`,
    {
      config: {
        access: manage,
        versioned: 'header',
        summary: `Delete ${one}`,
        description: templates.afterDeletion,
        refusals: [notFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await templates.readForUpdate(tx, request.params.id)
        if (!before) throw notFound()
        await request.mustMatch(tx, { ...before, version: before.revision })
        await record.deleted(request, tx, before, { deleted_at: await deleteTemplate(tx, templates, before.id) })
      })
      return reply.code(204).send(null)
    },
  )

  addRestoreRoute(app, {
    url: `${url}/:id`,
    params: ById,
    table: templates.table,
    access: templates.access,
    one,
    contract: contracts.template,
    notFound,
    read,
    record: (request, tx, row, changes) => record.restored(request, tx, row, row, { changes }),
  })
  addStatusRoutes(app, templates)
  addVersionRoutes(app, templates)
}

function addStatusRoutes<Row extends Template>(app: HttpApp, templates: VersionedTemplates<Row>): void {
  const { url, one, made, contracts, refusals, record } = templates
  const { notFound, archived, notArchived, nothingToPublish, invalid } = refusals
  const prepare = templates.prepare ?? (async (_tx, { status }) => (status === 'draft' ? {} : undefined))
  const schema = { params: ById, response: { 200: One(contracts.template) } }
  const access = permission(templates.access)

  app.post(
    `${url}/:id/publish`,
    {
      config: {
        access,
        summary: `Publish ${one}`,
        description: `Publishes the draft as the next version. New ${made} use it.`,
        ...(invalid ? { invalid } : {}),
        refusals: [notFound, archived, nothingToPublish],
      },
      schema,
    },
    (request) =>
      change(request, request.params.id, record.published, async (tx, before) => {
        if (before.status === 'archived') throw archived()
        const changes = await prepare(tx, before)
        if (!changes) throw nothingToPublish()
        await publishTemplate(tx, templates, before.id, changes)
      }),
  )

  app.post(
    `${url}/:id/archive`,
    {
      config: {
        access,
        summary: `Archive ${one}`,
        description: `No new ${made} can be created from an archived template.`,
        refusals: [notFound, archived],
      },
      schema,
    },
    (request) =>
      change(request, request.params.id, record.archived, async (tx, before) => {
        if (before.status === 'archived') throw archived()
        await archiveTemplate(tx, templates, before.id)
      }),
  )

  app.post(
    `${url}/:id/unarchive`,
    { config: { access, summary: `Unarchive ${one}`, refusals: [notFound, notArchived] }, schema },
    (request) =>
      change(request, request.params.id, record.unarchived, async (tx, before) => {
        if (before.status !== 'archived') throw notArchived()
        await unarchiveTemplate(tx, templates, before.id)
      }),
  )

  function change(
    request: FastifyRequest,
    id: string,
    recordChange: VersionedTemplates<Row>['record']['published'],
    work: (tx: TenantTx, before: Row) => Promise<void>,
  ) {
    return request.tenant(async (tx) => {
      const before = await templates.readForUpdate(tx, id)
      if (!before) throw notFound()
      await work(tx, before)
      const after = await templates.read(tx, id)
      if (!after) throw notFound()
      await recordChange(request, tx, before, after)
      return { data: after }
    })
  }
}

function addVersionRoutes<Row extends Template>(app: HttpApp, templates: VersionedTemplates<Row>): void {
  const { url, one, contracts, read } = templates
  const { notFound } = templates.refusals

  app.get(
    `${url}/:id/versions`,
    {
      config: {
        access: membership(),
        summary: `List the versions of ${one}`,
        description: 'Returns the published versions, newest first.',
        refusals: [notFound],
      },
      schema: {
        params: ById,
        querystring: listParameters(templateVersionList),
        response: { 200: Many(contracts.versionSummary) },
      },
    },
    async (request) => {
      const list = parseList(templateVersionList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await read(tx, request.params.id))) throw notFound()
        return templates.listVersions(tx, request.params.id, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    `${url}/:id/versions/:version`,
    {
      config: {
        access: membership(),
        summary: `Get a version of ${one}`,
        description: 'Also works for a deleted template.',
        refusals: [notFound],
      },
      schema: { params: TemplateVersionParams, response: { 200: One(contracts.version) } },
    },
    async (request) => {
      const { id, version } = request.params
      const found = await request.find((tx) => templates.findVersion(tx, id, version))
      if (!found) throw notFound()
      return { data: found }
    },
  )
}
