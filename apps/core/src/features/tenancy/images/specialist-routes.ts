import { ById, FileRedirect, NoContent, One, SpecialistImage } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { MAX_UPLOAD_MS, multipartExpected } from '../../../platform/uploads.ts'
import { specialistNotFound } from '../../people/specialists/index.ts'
import { imageNotFound, imageTooLarge, invalidImageType } from './errors.ts'
import { findOnlyImage, findSpecialistUrls, type SpecialistUrls } from './queries.ts'
import { receiveImage, removeImage } from './receiving.ts'
import { recordSpecialist } from './record.ts'

const MANAGE = permission('organizations.update_settings')
const LINK_SECONDS = 60

const ABOUT = {
  avatar: { summary: 'the avatar of a specialist', description: 'The image is public and cropped to a square.' },
  signature: {
    summary: 'the signature of a specialist',
    description: 'The image is printed on documents and not public.',
  },
} as const

export const specialistImageRoutes: Routes = (app, services) => {
  for (const purpose of ['avatar', 'signature'] as const) {
    const { summary, description } = ABOUT[purpose]
    app.post(
      `/v1/specialists/:id/${purpose}`,
      {
        config: {
          access: MANAGE,
          upload: true,
          summary: `Upload ${summary}`,
          description: `Replaces the previous image. ${description}`,
          refusals: [specialistNotFound, multipartExpected, imageTooLarge, invalidImageType],
        },
        handlerTimeout: MAX_UPLOAD_MS,
        schema: { params: ById, response: { 201: One(SpecialistImage) } },
      },
      async (request, reply) => {
        const before = await request.tenant((tx) => openSpecialist(tx, request.params.id))
        const data = await receiveImage(request, services, { purpose, specialistId: before.id }, async (tx) => {
          const after = await openSpecialist(tx, before.id)
          await recordSpecialist.updated(request, tx, before, after)
          return { avatar_url: after.avatar_url, signature_url: after.signature_url }
        })
        return reply.code(201).send({ data })
      },
    )

    app.delete(
      `/v1/specialists/:id/${purpose}`,
      {
        config: { access: MANAGE, summary: `Delete ${summary}`, refusals: [specialistNotFound, imageNotFound] },
        schema: { params: ById, response: { 204: NoContent } },
      },
      async (request, reply) => {
        await request.tenant(async (tx) => {
          const before = await openSpecialist(tx, request.params.id)
          if (!(await removeImage(tx, purpose, before.id))) throw imageNotFound()
          await recordSpecialist.updated(request, tx, before, await openSpecialist(tx, before.id))
        })
        return reply.code(204).send(null)
      },
    )
  }

  app.get(
    '/v1/specialists/:id/signature',
    {
      config: {
        access: MANAGE,
        operationId: 'getSpecialistSignature',
        summary: 'Get the signature of a specialist',
        description: 'Redirects to a URL that is valid for one minute.',
        refusals: [specialistNotFound, imageNotFound],
      },
      schema: { params: ById, response: { 302: FileRedirect } },
    },
    async (request, reply) => {
      const image = await request.tenant(async (tx) => {
        const specialist = await openSpecialist(tx, request.params.id)
        const found = await findOnlyImage(tx, 'signature', specialist.id)
        if (!found) throw imageNotFound()
        await recordSpecialist.signatureRead(request, tx, specialist)
        return found
      })
      const options = { method: 'GET', expiresInSeconds: LINK_SECONDS, contentType: image.mime } as const
      return reply.redirect(await services.objects.signedUrl(image.object_key, options), 302)
    },
  )
}

async function openSpecialist(tx: TenantTx, id: string): Promise<SpecialistUrls> {
  const specialist = await findSpecialistUrls(tx, id)
  if (!specialist) throw specialistNotFound()
  return specialist
}
