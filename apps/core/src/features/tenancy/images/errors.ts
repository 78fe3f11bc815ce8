import { MAX_IMAGE_BYTES } from '@tendon/contracts'
import { refusal } from '@tendon/http'

export const imageNotFound = refusal(
  404,
  'image_not_found',
  'There is no image with this id. GET /v1/organizations/{id}/images lists the images of your clinic.',
)
export const imageTooLarge = refusal(
  400,
  'file_too_large',
  'The image is larger than {max_file_size} bytes. Send a smaller image.',
  { max_file_size: MAX_IMAGE_BYTES },
)
export const invalidImageType = refusal(
  400,
  'invalid_file_type',
  'Send an image of one of "allowed_file_types", of at most 25 megapixels. The content must match its media type.',
  { allowed_file_types: ['image/png'] },
)
export const imageInUse = refusal(
  409,
  'image_in_use',
  'A PDF template shows this image. Remove it from the template first.',
)
