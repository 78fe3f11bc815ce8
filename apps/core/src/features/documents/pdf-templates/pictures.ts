import { buffer } from 'node:stream/consumers'
import type { PdfBlock } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import type { Block, ExerciseRow, Image, PdfDocument } from '@tendon/pdf'
import { encodeImage } from '../../../platform/images.ts'
import { listDocumentImages, type StoredImage } from '../../tenancy/images/index.ts'
import type { Picture } from './drawing-rules.ts'
import { imagesTooLarge } from './errors.ts'

/** The images of a document, by their keys in the object store. */
export interface Pictures {
  logo: Picture | null
  signature: Picture | null
  images: ReadonlyMap<string, Picture>
}

export const imageIdsOf = (blocks: readonly PdfBlock[]): string[] =>
  blocks.flatMap(({ image_id }) => image_id?.toLowerCase() ?? [])

export async function findPictures(
  tx: TenantTx,
  blocks: readonly PdfBlock[],
  specialistId: string | null,
): Promise<Pictures> {
  const found = await listDocumentImages(tx, { ids: imageIdsOf(blocks), specialistId })
  const only = (purpose: StoredImage['purpose']) => found.filter((image) => image.purpose === purpose).map(pictureOf)
  return {
    logo: only('logo')[0] ?? null,
    signature: only('signature')[0] ?? null,
    images: new Map(found.map((image) => [image.id, pictureOf(image)])),
  }
}

const pictureOf = ({ object_key, sha256, mime }: StoredImage): Picture => ({
  object_key,
  content_id: sha256,
  format: mime === 'image/jpeg' ? 'jpg' : 'png',
})

/** The longest side of a picture of an exercise in pixels: 2.6 cm on paper. */
const EXERCISE_PICTURE_PIXELS = 400

export const MAX_DOCUMENT_IMAGE_BYTES = 20 * 1024 * 1024

type ReadImage = (bytes: Buffer, picture: Picture) => Promise<Image | null>

const asItIs: ReadImage = async (bytes, { format }) => ({ bytes, format })

/** Pictures of exercises are stored as they were uploaded: one that cannot be decoded is left out. */
const scaledDown: ReadImage = async (bytes) => {
  const image = await encodeImage(bytes, { maxSide: EXERCISE_PICTURE_PIXELS })
  return image ? { bytes: image.bytes, format: image.extension } : null
}

/** Reads each image from the object store once, outside any transaction. Omits images that no longer exist. */
export async function withImages(
  objects: Pick<ObjectStore, 'get'>,
  document: PdfDocument<Picture>,
): Promise<PdfDocument> {
  const loaded = new Map<string, Image | null>()
  let total = 0
  const load = async (picture: Picture | null, read: ReadImage = asItIs): Promise<Image | null> => {
    if (!picture) return null
    const known = loaded.get(picture.object_key)
    if (known !== undefined) return known
    const object = await objects.get(picture.object_key)
    const image = object ? await read(await buffer(object.body), picture) : null
    total += image?.bytes.length ?? 0
    if (total > MAX_DOCUMENT_IMAGE_BYTES) throw imagesTooLarge({ max_bytes: MAX_DOCUMENT_IMAGE_BYTES })
    loaded.set(picture.object_key, image)
    return image
  }
  const blocks: Block[] = []
  // One after the other, so that no more than the limit is in memory.
  for (const block of document.blocks) {
    if (block.type === 'signature') blocks.push({ ...block, image: await load(block.image) })
    else if (block.type === 'exercises') {
      const rows: ExerciseRow[] = []
      for (const row of block.rows) rows.push({ ...row, picture: await load(row.picture, scaledDown) })
      blocks.push({ ...block, rows })
    } else if (block.type !== 'image') blocks.push(block)
    else {
      const image = await load(block.image)
      if (image) blocks.push({ ...block, image })
    }
  }
  const logo = await load(document.clinic.logo)
  return { ...document, clinic: { ...document.clinic, logo }, blocks }
}
