import type { ClinicImage, ImagePurpose } from '@tendon/contracts'
import { MAX_IMAGE_BYTES } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { IMAGE_TYPES, type ImageSize } from '../../../platform/images.ts'
import { takeFile, type UploadRules } from '../../../platform/uploads.ts'
import type { Services } from '../../../services.ts'
import { imageTooLarge, invalidImageType } from './errors.ts'
import { deleteImage, findOnlyImage, insertImage, lockImages } from './queries.ts'

const SIZES: Readonly<Record<ImagePurpose, ImageSize>> = {
  logo: { maxSide: 800 },
  avatar: { maxSide: 512, square: true },
  signature: { maxSide: 800 },
  template: { maxSide: 1600 },
}

const rulesFor = (purpose: ImagePurpose): UploadRules => ({
  folder: 'clinic-images',
  maxBytes: MAX_IMAGE_BYTES,
  types: IMAGE_TYPES,
  tooLarge: () => imageTooLarge({ max_file_size: MAX_IMAGE_BYTES }),
  wrongType: () => invalidImageType({ allowed_file_types: IMAGE_TYPES }),
  image: SIZES[purpose],
})

/** Stores an uploaded image. A logo, avatar or signature replaces the previous one. */
export function receiveImage<Result>(
  request: FastifyRequest,
  services: Services,
  { purpose, specialistId = null }: { purpose: ImagePurpose; specialistId?: string | null },
  keep: (tx: TenantTx, image: ClinicImage) => Promise<Result>,
): Promise<Result> {
  return takeFile(request, services, rulesFor(purpose), async (tx, file) => {
    if (purpose !== 'template') await removeImage(tx, purpose, specialistId)
    return keep(tx, await insertImage(tx, purpose, specialistId, file))
  })
}

/** Returns the removed image; undefined when there was none. */
export async function removeImage(tx: TenantTx, purpose: ImagePurpose, specialistId: string | null) {
  await lockImages(tx)
  const before = await findOnlyImage(tx, purpose, specialistId)
  if (before) await deleteImage(tx, before.id)
  return before
}
