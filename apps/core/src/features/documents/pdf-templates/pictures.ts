import { buffer } from 'node:stream/consumers'
import type { PdfBlock } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import type { Block, Image, PdfDocument } from '@tendon/pdf'
import { listDocumentImages, type StoredImage } from '../../tenancy/images/index.ts'
import type { Picture } from './drawing-rules.ts'

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
  sha256,
  format: mime === 'image/jpeg' ? 'jpg' : 'png',
})

/** Reads the images from the object store, outside any transaction. Omits images that no longer exist. */
export async function withImages(objects: ObjectStore, document: PdfDocument<Picture>): Promise<PdfDocument> {
  const load = async (picture: Picture | null): Promise<Image | null> => {
    const object = picture && (await objects.get(picture.object_key))
    return object ? { bytes: await buffer(object.body), format: picture.format } : null
  }
  const loaded = await Promise.all(
    document.blocks.map(async (block): Promise<Block[]> => {
      if (block.type === 'signature') return [{ ...block, image: await load(block.image) }]
      if (block.type !== 'image') return [block]
      const image = await load(block.image)
      return image ? [{ ...block, image }] : []
    }),
  )
  const logo = await load(document.clinic.logo)
  return { ...document, clinic: { ...document.clinic, logo }, blocks: loaded.flat() }
}
