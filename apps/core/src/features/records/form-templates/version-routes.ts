import { isDeepStrictEqual } from 'node:util'
import {
  ById,
  FormTemplate,
  FormTemplateVersion,
  FormTemplateVersionParams,
  FormTemplateVersionSummary,
  formTemplateVersionList,
  listParameters,
  Many,
  One,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { membership, pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import {
  formTemplateArchived,
  formTemplateNotArchived,
  formTemplateNotFound,
  invalidForm,
  nothingToPublish,
} from './errors.ts'
import { findLinked, publishingProblems, withLinks } from './links.ts'
import {
  archiveTemplate,
  findTemplate,
  findTemplateForUpdate,
  findVersion,
  listVersions,
  publishTemplate,
  unarchiveTemplate,
} from './queries.ts'
import { recordStatus } from './record.ts'

const MANAGE = permission('form_templates.manage')

export const versionRoutes: Routes = (app) => {
  app.post(
    '/v1/form-templates/:id/publish',
    {
      config: {
        access: MANAGE,
        summary: 'Publish a form template',
        description: 'Publishes the draft as the next version. New forms use it.',
        invalid: invalidForm,
        refusals: [formTemplateNotFound, formTemplateArchived, nothingToPublish],
      },
      schema: { params: ById, response: { 200: One(FormTemplate) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const draft = await openTemplate(tx, request.params.id)
        if (draft.status === 'archived') throw formTemplateArchived()
        const linked = await findLinked(tx, draft.fields)
        const fields = withLinks(draft.fields, linked)
        // A published template is published again when its custom fields have changed.
        if (draft.status === 'published' && isDeepStrictEqual(fields, draft.fields)) throw nothingToPublish()
        const problems = publishingProblems(draft.fields, linked)
        if (Object.keys(problems).length > 0) throw invalidForm({ fields: problems })
        const published = await publishTemplate(tx, draft, fields)
        await recordStatus.published(request, tx, draft, published)
        return { data: published }
      }),
  )

  for (const [verb, from, refused, update, recordChange, summary, description] of [
    [
      'archive',
      ['draft', 'published'],
      formTemplateArchived,
      archiveTemplate,
      recordStatus.archived,
      'Archive a form template',
      'No new forms can be created from an archived template.',
    ],
    [
      'unarchive',
      ['archived'],
      formTemplateNotArchived,
      unarchiveTemplate,
      recordStatus.unarchived,
      'Unarchive a form template',
      undefined,
    ],
  ] as const) {
    app.post(
      `/v1/form-templates/:id/${verb}`,
      {
        config: {
          access: MANAGE,
          summary,
          ...(description ? { description } : {}),
          refusals: [formTemplateNotFound, refused],
        },
        schema: { params: ById, response: { 200: One(FormTemplate) } },
      },
      (request) =>
        request.tenant(async (tx) => {
          const before = await openTemplate(tx, request.params.id)
          if (!from.some((status) => status === before.status)) throw refused()
          const after = await update(tx, before.id)
          await recordChange(request, tx, before, after)
          return { data: after }
        }),
    )
  }

  app.get(
    '/v1/form-templates/:id/versions',
    {
      config: {
        access: membership(),
        summary: 'List the versions of a form template',
        description: 'Returns the published versions, newest first.',
        refusals: [formTemplateNotFound],
      },
      schema: {
        params: ById,
        querystring: listParameters(formTemplateVersionList),
        response: { 200: Many(FormTemplateVersionSummary) },
      },
    },
    async (request) => {
      const list = parseList(formTemplateVersionList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await findTemplate(tx, request.params.id))) throw formTemplateNotFound()
        return listVersions(tx, request.params.id, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/form-templates/:id/versions/:version',
    {
      config: {
        access: membership(),
        summary: 'Get a version of a form template',
        description: 'Also works for a deleted template.',
        refusals: [formTemplateNotFound],
      },
      schema: { params: FormTemplateVersionParams, response: { 200: One(FormTemplateVersion) } },
    },
    async (request) => {
      const { id, version } = request.params
      const found = await request.tenant((tx) => findVersion(tx, id, version))
      if (!found) throw formTemplateNotFound()
      return { data: found }
    },
  )
}

async function openTemplate(tx: TenantTx, id: string): Promise<FormTemplate> {
  const template = await findTemplateForUpdate(tx, id)
  if (!template) throw formTemplateNotFound()
  return template
}
