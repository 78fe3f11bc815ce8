import { changesBetween } from '@tendon/access'
import {
  ById,
  CustomField,
  CustomFieldChanges,
  CustomFields,
  customFieldFilters,
  ENTITY_TYPES,
  NewCustomField,
  NoContent,
  One,
  PublishedField,
  RollbackRequest,
  Usage,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { invalid, namingAlso, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { findUsage } from '../../../platform/usage.ts'
import {
  fieldLimitReached,
  fieldNotFound,
  keyTaken,
  keyTakenMeanwhile,
  systemField,
  tooManyFields,
  unknownVersion,
} from './errors.ts'
import {
  DELETING_FIELD,
  deleteField,
  findField,
  findFieldForUpdate,
  findVersion,
  insertField,
  listFields,
  publishDraft,
  updateDraft,
} from './queries.ts'
import { contentOf, problemsOfBody, problemsOfField, tidy } from './rules.ts'

const record = recorder({
  target: ({ id, label }: CustomField) => ({ type: 'custom_field', id, label }),
  payload: ({ id }) => ({ custom_field_id: id }),
  acts: {
    created: { action: 'custom_fields.create', crud: 'C', event: 'custom_field.published' },
    updated: { action: 'custom_fields.update', crud: 'U' },
    published: { action: 'custom_fields.publish', crud: 'U', event: 'custom_field.published' },
    rolledBack: { action: 'custom_fields.rollback', crud: 'U' },
    deleted: { action: 'custom_fields.delete', crud: 'D', event: 'custom_field.deleted' },
    restored: { action: 'custom_fields.restore', crud: 'U', event: 'custom_field.restored' },
  },
})
const filters = { sort: [], filters: { entity_type: ENTITY_TYPES, deleted: 'boolean' } } as const

/** A field to change, locked. */
async function openField(tx: TenantTx, id: string): Promise<CustomField> {
  const field = await findField(tx, id)
  if (!field) throw fieldNotFound()
  const { system_key } = field
  if (system_key !== null) throw systemField({ ...systemField.example, system_key })
  const locked = await findFieldForUpdate(tx, id)
  if (!locked) throw fieldNotFound()
  return locked
}

function refuseIfWrong(field: Parameters<typeof problemsOfField>[0]): void {
  const problems = problemsOfField(field)
  if (problems.length > 0) throw invalid(problems)
}

export const customFieldRoutes: Routes = (app, services) => {
  app.get(
    '/v1/custom-fields',
    {
      config: {
        access: permission('custom_fields.view'),
        envelope: 'named',
        summary: 'List custom fields',
        description: 'Includes edits that are not published yet.',
      },
      schema: { querystring: customFieldFilters, response: { 200: CustomFields } },
    },
    async (request) => {
      const { entity_type, deleted } = request.query
      const wanted = parseList(filters, { entity_type, deleted }).filters
      return { fields: await request.find((tx) => listFields(tx, wanted.entity_type, wanted.deleted)) }
    },
  )

  app.post(
    '/v1/custom-fields',
    {
      config: {
        access: permission('custom_fields.manage'),
        envelope: 'named',
        idempotent: true,
        summary: 'Create a custom field',
        description: 'The field is published as version 1.',
        refusals: [keyTaken, tooManyFields],
      },
      schema: { body: NewCustomField, response: { 201: One(CustomField) } },
      errorHandler: namingAlso(problemsOfBody),
    },
    (request, reply) => {
      const values = tidy(request.body)
      refuseIfWrong({ ...values, options: values.options ?? null })
      return request.tenantCreate(reply, async (tx) => {
        const field = await insertField(tx, values)
        await record.created(request, tx, field, { payload: { version: field.version } })
        return { data: field }
      })
    },
  )

  app.get(
    '/v1/custom-fields/:id',
    {
      config: {
        access: permission('custom_fields.view'),
        envelope: 'named',
        summary: 'Get a custom field',
        description: 'Includes an edit that is not published yet.',
        refusals: [fieldNotFound],
      },
      schema: { params: ById, response: { 200: One(CustomField) } },
    },
    async (request) => {
      const field = await request.find((tx) => findField(tx, request.params.id))
      if (!field) throw fieldNotFound()
      return { data: field }
    },
  )

  // The specification names both methods for one edit.
  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/v1/custom-fields/:id',
      config: {
        access: permission('custom_fields.manage'),
        envelope: 'named',
        operationId: method === 'PUT' ? 'putCustomField' : 'updateCustomField',
        versioned: 'revision',
        summary: 'Update a custom field',
        description: 'The change is a draft until it is published.',
        refusals: [fieldNotFound, systemField],
      },
      schema: { params: ById, body: CustomFieldChanges, response: { 200: One(CustomField) } },
      handler: (request) =>
        request.tenant(async (tx) => {
          const before = await openField(tx, request.params.id)
          await request.mustMatch(tx, { ...before, version: before.revision }, async () => before)
          const edited = { ...before, ...tidy(request.body) }
          refuseIfWrong(edited)
          const after = await updateDraft(tx, before.id, contentOf(edited))
          await record.updated(request, tx, before, after)
          return { data: after }
        }),
    })
  }

  app.get(
    '/v1/custom-fields/:id/usage',
    {
      config: {
        access: permission('custom_fields.manage'),
        envelope: 'named',
        summary: 'List what uses a custom field',
        description: 'Call it before you delete the field.',
        refusals: [fieldNotFound],
      },
      schema: { params: ById, response: { 200: One(Usage) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const field = await findField(tx, request.params.id)
        if (!field) throw fieldNotFound()
        return { data: await findUsage(tx, 'custom_field', field.id) }
      }),
  )

  app.delete(
    '/v1/custom-fields/:id',
    {
      config: {
        access: permission('custom_fields.manage'),
        service: DELETING_FIELD,
        versioned: 'header',
        envelope: 'named',
        summary: 'Delete a custom field',
        description:
          'Deletes the field and its values. Forms that contain the field do not change. The key can be used again.',
        refusals: [fieldNotFound, systemField],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const field = await openField(tx, request.params.id)
        await request.mustMatch(tx, { ...field, version: field.revision })
        await deleteField(tx, field.id)
        await record.deleted(request, tx, field, { deleted_at: services.now().toISOString() })
      })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/custom-fields/:id/publish',
    {
      config: {
        access: permission('custom_fields.manage'),
        envelope: 'named',
        summary: 'Publish a custom field',
        description: 'Publishes the draft as the next version. Without a draft, returns the current version.',
        refusals: [fieldNotFound, systemField],
      },
      schema: { params: ById, response: { 200: PublishedField } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const field = await openField(tx, request.params.id)
        const current = await findVersion(tx, field.id, field.version)
        if (!current) throw fieldNotFound()
        if (field.published) return { id: field.id, ...current, published: true }
        await publishDraft(tx, field, contentOf(field))
        const next = await findVersion(tx, field.id, field.version + 1)
        if (!next) throw fieldNotFound()
        const changes = changesBetween(
          { ...current.fields, version: current.version },
          { ...next.fields, version: next.version },
        )
        await record.published(request, tx, field, field, { changes, payload: { version: next.version } })
        return { id: field.id, ...next, published: true }
      }),
  )

  app.post(
    '/v1/custom-fields/:id/rollback',
    {
      config: {
        access: permission('custom_fields.manage'),
        envelope: 'named',
        summary: 'Roll back a custom field',
        description: 'Creates a draft with the content of an earlier version.',
        refusals: [fieldNotFound, systemField, unknownVersion],
      },
      schema: { params: ById, body: RollbackRequest, response: { 200: One(CustomField) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await openField(tx, request.params.id)
        const earlier = await findVersion(tx, before.id, request.body.version)
        if (!earlier) throw unknownVersion()
        const after = await updateDraft(tx, before.id, contentOf(earlier.fields))
        await record.rolledBack(request, tx, before, after)
        return { data: after }
      }),
  )

  addRestoreRoute(app, {
    url: '/v1/custom-fields/:id',
    params: ById,
    table: 'custom_fields',
    access: 'custom_fields.manage',
    one: 'a custom field',
    description: 'Values are not restored, because they were deleted with the field.',
    contract: CustomField,
    envelope: 'named',
    notFound: fieldNotFound,
    refusals: [keyTakenMeanwhile, fieldLimitReached],
    constraints: {
      custom_fields_key_key: keyTakenMeanwhile,
      custom_fields_limit_check: fieldLimitReached,
    },
    read: findField,
    record: (request, tx, row, changes) => record.restored(request, tx, row, row, { changes }),
  })
}
