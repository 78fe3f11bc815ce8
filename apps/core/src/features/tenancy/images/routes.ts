import {
  ById,
  ClinicImage,
  ClinicImageParams,
  clinicImageList,
  listParameters,
  Many,
  NoContent,
  One,
} from '@tendon/contracts'
import { membership, pageOf, parseList, permission, publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { MAX_UPLOAD_MS, multipartExpected } from '../../../platform/uploads.ts'
import { imageInUse, imageNotFound, imageTooLarge, invalidImageType } from './errors.ts'
import {
  deleteImage,
  findPublicImage,
  findTemplateImage,
  isInUse,
  listTemplateImages,
  READING_TEMPLATES,
} from './queries.ts'
import { receiveImage } from './receiving.ts'
import { recordImage } from './record.ts'

const MANAGE = permission('organizations.update_settings')
const DAY_SECONDS = 86_400

/** Images that PDF templates show, and the public URLs of logos and avatars. */
export const imageRoutes: Routes = (app, services) => {
  app.get(
    '/v1/organizations/:id/images',
    {
      config: { access: membership(), summary: 'List the images for PDF templates' },
      schema: { params: ById, querystring: listParameters(clinicImageList), response: { 200: Many(ClinicImage) } },
    },
    async (request) => {
      const list = parseList(clinicImageList, request.query)
      const { rows, total } = await request.findPage((tx) => listTemplateImages(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/organizations/:id/images',
    {
      config: {
        access: MANAGE,
        upload: true,
        summary: 'Upload an image for PDF templates',
        description: 'PNG, JPEG or WebP. Only its pixels are stored, at most 1,600 on a side.',
        refusals: [multipartExpected, imageTooLarge, invalidImageType],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: ById, response: { 201: One(ClinicImage) } },
    },
    async (request, reply) => {
      const image = await receiveImage(request, services, { purpose: 'template' }, async (tx, created) => {
        await recordImage.created(request, tx, created)
        return created
      })
      return reply.code(201).send({ data: image })
    },
  )

  app.delete(
    '/v1/organizations/:id/images/:imageId',
    {
      config: {
        access: MANAGE,
        service: READING_TEMPLATES,
        summary: 'Delete an image used in PDF templates',
        refusals: [imageNotFound, imageInUse],
      },
      schema: { params: ClinicImageParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const image = await findTemplateImage(tx, request.params.imageId)
        if (!image) throw imageNotFound()
        if (await isInUse(tx, image.id)) throw imageInUse()
        await deleteImage(tx, image.id)
        await recordImage.deleted(request, tx, image)
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/public/images/:id',
    {
      config: {
        access: publicAccess(),
        operationId: 'getPublicImage',
        summary: 'Get a logo or avatar',
        produces: 'image/png',
        refusals: [imageNotFound],
      },
      schema: { params: ById },
    },
    async (request, reply) => {
      const image = await request.findPublic((tx) => findPublicImage(tx, request.params.id))
      const object = image && (await services.objects.get(image.object_key))
      if (!object) throw imageNotFound()
      return reply
        .headers({
          'content-type': image.mime,
          'content-length': object.bytes,
          'content-security-policy': "sandbox; default-src 'none'",
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': `public, max-age=${DAY_SECONDS}, immutable`,
        })
        .send(object.body)
    },
  )
}
