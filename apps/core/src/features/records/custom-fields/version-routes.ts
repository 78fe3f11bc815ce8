import { ById, CustomFieldVersion, CustomFieldVersionParams } from '@tendon/contracts'
import { permission } from '@tendon/http'
import { Type } from 'typebox'
import type { Routes } from '../../../feature.ts'
import { fieldNotFound, versionNotFound } from './errors.ts'
import { findVersion, listVersions } from './queries.ts'

export const versionRoutes: Routes = (app) => {
  app.get(
    '/v1/custom-fields/:id/versions',
    {
      config: {
        access: permission('custom_fields.view'),
        envelope: 'named',
        summary: 'List the versions of a custom field',
        description: 'Newest first.',
        refusals: [fieldNotFound],
      },
      schema: { params: ById, response: { 200: Type.Array(CustomFieldVersion) } },
    },
    async (request) => {
      const versions = await request.find((tx) => listVersions(tx, request.params.id))
      if (versions.length === 0) throw fieldNotFound()
      return versions
    },
  )

  app.get(
    '/v1/custom-fields/:id/versions/:version',
    {
      config: {
        access: permission('custom_fields.view'),
        envelope: 'named',
        summary: 'Get a version of a custom field',
        refusals: [versionNotFound],
      },
      schema: { params: CustomFieldVersionParams, response: { 200: CustomFieldVersion } },
    },
    async (request) => {
      const { id, version } = request.params
      const found = await request.find((tx) => findVersion(tx, id, version))
      if (!found) throw versionNotFound()
      return found
    },
  )
}
