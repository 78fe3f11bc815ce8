import type { ClinicImage, ImagePurpose, List } from '@tendon/contracts'
import { asService, CLINIC, type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = ['id', 'name', 'mime', 'size', 'width', 'height', 'created_at'] as const

const ofPurpose = (tx: TenantTx, purpose: ImagePurpose, specialistId: string | null) =>
  tx
    .selectFrom('clinic_images')
    .where('purpose', '=', purpose)
    .where('specialist_id', specialistId === null ? 'is' : '=', specialistId)

export async function listTemplateImages(tx: TenantTx, list: List) {
  return readPage(ofPurpose(tx, 'template', null).select(COLUMNS), list, { search: ['name'] })
}

export function findTemplateImage(tx: TenantTx, id: string): Promise<ClinicImage | undefined> {
  return ofPurpose(tx, 'template', null).select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** The logo, or an image of a specialist. */
export function findOnlyImage(tx: TenantTx, purpose: ImagePurpose, specialistId: string | null) {
  return ofPurpose(tx, purpose, specialistId)
    .select([...COLUMNS, 'object_key'])
    .executeTakeFirst()
}

interface NewImage {
  key: string
  name: string
  bytes: number
  mime: string
  sha256: Buffer
  width?: number
  height?: number
}

export function insertImage(
  tx: TenantTx,
  purpose: ImagePurpose,
  specialistId: string | null,
  { key, name, bytes, mime, sha256, width = 1, height = 1 }: NewImage,
): Promise<ClinicImage> {
  return tx
    .insertInto('clinic_images')
    .values({
      purpose,
      specialist_id: specialistId,
      object_key: key,
      name,
      size: bytes,
      mime: mime === 'image/jpeg' ? 'image/jpeg' : 'image/png',
      sha256,
      width,
      height,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteImage(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('clinic_images').where('id', '=', id).execute()
}

export interface SpecialistUrls {
  id: string
  name: string
  avatar_url: string | null
  signature_url: string | null
}

export function findSpecialistUrls(tx: TenantTx, id: string): Promise<SpecialistUrls | undefined> {
  return tx
    .selectFrom('specialists')
    .select(['id', 'name', 'avatar_url', 'signature_url'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Serializes uploads, so that the second replaces the first. */
export async function lockImages(tx: TenantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('images ' || current_app_org_id(), 0))`.execute(tx)
}

/** What the route that deletes an image declares. */
export const READING_TEMPLATES = {
  codes: ['pdf_templates.manage'],
  why: 'An image that a PDF template uses stays, also when the caller may not see templates.',
}

/** Whether a template that is not deleted uses the image, in its draft or its published version. */
export async function isInUse(tx: TenantTx, id: string): Promise<boolean> {
  const uses = sql`jsonb_build_array(jsonb_build_object('image_id', ${id}::text))`
  const used = await asService(tx, READING_TEMPLATES.codes, (own) =>
    own
      .selectFrom('pdf_templates as t')
      .select('t.id')
      .where('t.organization_id', '=', CLINIC)
      .where('t.deleted_at', 'is', null)
      .where(
        sql<boolean>`(t.blocks @> ${uses} or exists (select 1 from pdf_template_versions v
          where v.organization_id = t.organization_id and v.pdf_template_id = t.id and v.version = t.version
            and v.blocks @> ${uses}))`,
      )
      .executeTakeFirst(),
  )
  return used !== undefined
}

export async function findPublicImage(tx: PublicTx, id: string) {
  const { rows } = await sql<{ object_key: string; mime: string }>`select * from find_public_image(${id})`.execute(tx)
  return rows[0]
}

export interface StoredImage {
  id: string
  purpose: ImagePurpose
  specialist_id: string | null
  object_key: string
  mime: 'image/png' | 'image/jpeg'
  sha256: string
}

const STORED = ['id', 'purpose', 'specialist_id', 'object_key', 'mime'] as const
const SHA256 = sql<string>`encode(sha256, 'hex')`.as('sha256')

/** The images of a document: the logo, the images with these ids and the signature of the specialist. */
export function listDocumentImages(
  tx: TenantTx,
  { ids, specialistId }: { ids: readonly string[]; specialistId: string | null },
): Promise<StoredImage[]> {
  return tx
    .selectFrom('clinic_images')
    .select([...STORED, SHA256])
    .where(
      sql<boolean>`(purpose = 'logo' or (purpose = 'template' and id = any(${ids}::uuid[]))
        or (purpose = 'signature' and specialist_id = ${specialistId}))`,
    )
    .execute()
}
