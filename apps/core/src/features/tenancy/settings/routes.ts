import {
  Branding,
  BrandingParams,
  ById,
  NoContent,
  One,
  OrganizationSettings,
  OrganizationSettingsChanges,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { membership, permission, publicAccess } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { MAX_UPLOAD_MS, multipartExpected } from '../../../platform/uploads.ts'
import {
  findOnlyImage,
  imageNotFound,
  imageTooLarge,
  invalidImageType,
  receiveImage,
  removeImage,
} from '../images/index.ts'
import { clinicNotFound, unreadableColor } from './errors.ts'
import { formatColumns, withFormats } from './format-rules.ts'
import { findBranding, findSettings, lockSettings, saveSettings } from './queries.ts'
import { isReadable } from './rules.ts'

const MAX_BRANDING_AGE_SECONDS = 60
const MANAGE = permission('organizations.update_settings')

const record = recorder({
  target: ({ organization_id }: OrganizationSettings & { organization_id: string }) => ({
    type: 'organization',
    id: organization_id,
  }),
  facts: ({
    brand_color,
    logo_url,
    reminder_offsets_minutes,
    feed_shows_details,
    waitlist_offers,
    emergency_number,
    formats,
  }) => ({
    brand_color,
    logo_url,
    reminder_offsets_minutes,
    feed_shows_details,
    waitlist_offers,
    emergency_number,
    formats,
  }),
  payload: ({ organization_id }) => ({ organization_id }),
  acts: {
    updated: { action: 'organizations.update_settings', crud: 'U', event: 'organization.settings_updated' },
  },
})

export const settingsRoutes: Routes = (app, services) => {
  const imageUrl = (id: string | null | undefined) =>
    id ? `${services.config.publicUrl}/v1/public/images/${id}` : null

  async function read(request: FastifyRequest, tx: TenantTx) {
    const [settings, logo] = [await findSettings(tx), await findOnlyImage(tx, 'logo', null)]
    return {
      ...withFormats(settings),
      logo_url: imageUrl(logo?.id),
      organization_id: request.caller.organization_id ?? '',
    }
  }

  app.get(
    '/v1/organizations/:id/settings',
    {
      config: { access: membership(), summary: 'Get the settings of an organization' },
      schema: { params: ById, response: { 200: One(OrganizationSettings) } },
    },
    async (request) => ({ data: await request.tenant((tx) => read(request, tx)) }),
  )

  app.patch(
    '/v1/organizations/:id/settings',
    {
      config: {
        access: MANAGE,
        versioned: 'version',
        summary: 'Update the settings of an organization',
        description:
          'The brand colour must be dark enough that white text can be read on it. Reminders of appointments that are confirmed already stay as they were planned.',
      },
      schema: { params: ById, body: OrganizationSettingsChanges, response: { 200: One(OrganizationSettings) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { version: _version, formats, ...changes } = request.body
        if (changes.brand_color && !isReadable(changes.brand_color)) throw unreadableColor()
        await lockSettings(tx)
        const before = await read(request, tx)
        await request.mustMatch(tx, before)
        if (changes.brand_color) changes.brand_color = changes.brand_color.toLowerCase()
        const values = { ...changes, ...formatColumns(formats) }
        if (Object.keys(values).length > 0) await saveSettings(tx, values)
        const after = await read(request, tx)
        await record.updated(request, tx, before, after)
        return { data: after }
      }),
  )

  app.post(
    '/v1/organizations/:id/logo',
    {
      config: {
        access: MANAGE,
        upload: true,
        operationId: 'uploadLogo',
        summary: 'Upload the logo of an organization',
        description: 'PNG, JPEG or WebP. The logo is public and replaces the previous one. Only its pixels are stored.',
        refusals: [multipartExpected, imageTooLarge, invalidImageType],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: ById, response: { 201: One(OrganizationSettings) } },
    },
    async (request, reply) => {
      const before = await request.tenant((tx) => read(request, tx))
      const data = await receiveImage(request, services, { purpose: 'logo' }, async (tx) => {
        const after = await read(request, tx)
        await record.updated(request, tx, before, after)
        return after
      })
      return reply.code(201).send({ data })
    },
  )

  app.delete(
    '/v1/organizations/:id/logo',
    {
      config: {
        access: MANAGE,
        operationId: 'deleteLogo',
        summary: 'Delete the logo of an organization',
        refusals: [imageNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await read(request, tx)
        if (!(await removeImage(tx, 'logo', null))) throw imageNotFound()
        await record.updated(request, tx, before, await read(request, tx))
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/public/organizations/:slug/branding',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        operationId: 'getBranding',
        summary: 'Get what the sign-in page of a clinic shows',
        description: 'May be cached for a minute.',
        contentTag: true,
        refusals: [clinicNotFound],
      },
      schema: { params: BrandingParams, response: { 200: One(Branding) } },
    },
    async (request, reply) => {
      const found = await request.findPublic((tx) => findBranding(tx, request.params.slug))
      if (!found) throw clinicNotFound()
      const { logo_id, ...branding } = found
      reply.header('cache-control', `public, max-age=${MAX_BRANDING_AGE_SECONDS}`)
      return { data: { ...withFormats(branding), logo_url: imageUrl(logo_id) } }
    },
  )
}
