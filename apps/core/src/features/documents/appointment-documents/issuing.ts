import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { AppointmentDocument } from '@tendon/contracts'
import { asService, type TenantTx } from '@tendon/db'
import { unavailable } from '@tendon/http'
import type { PdfDocument } from '@tendon/pdf'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { claimObject, discardObject, listObject } from '../../../platform/unclaimed-objects.ts'
import type { Services } from '../../../services.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { lockPatientsOf } from '../../scheduling/appointments/index.ts'
import {
  type DocumentFacts,
  dateIn,
  drawn,
  fieldOf,
  findPictures,
  type Picture,
  type Pictures,
  renderPdf,
  WORDS,
} from '../pdf-templates/index.ts'
import { contentChanged } from './errors.ts'
import {
  findDocumentByInput,
  findPatientId,
  insertDocument,
  LOCKING_PATIENT,
  lockPatient,
  lockVisit,
} from './queries.ts'
import { record } from './record.ts'
import type { Chosen, Source } from './source.ts'

const CODE_BYTES = 16
/** Raised when the same content is drawn differently: a document drawn the old way is not issued again. */
const DRAWING_VERSION = 3
const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024
const RETRY_SECONDS = '5'

export interface Prepared {
  source: Source
  chosen: Chosen
  pictures: Pictures
  hash: Buffer
  existing: AppointmentDocument | undefined
}

/** Reads the content of the document, and an existing document with the same content. */
export async function prepare(tx: TenantTx, source: Source, chosen: Chosen): Promise<Prepared> {
  const pictures = await findPictures(tx, chosen.template.blocks, source.specialist_id)
  const hash = inputHash(source, chosen, pictures)
  return { source, chosen, pictures, hash, existing: await findDocumentByInput(tx, hash) }
}

/**
 * Reads the content, renders it outside any transaction, stores the file, then inserts the row, provided that the content is
 * still the same. The same input always gives the same document.
 */
export async function issue(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  read: (tx: TenantTx) => Promise<Prepared>,
): Promise<{ data: AppointmentDocument }> {
  const { source, chosen, pictures, hash, existing } = await request.tenant(read)
  if (existing) return request.tenantCreate(reply, async () => ({ data: existing }))
  const code = randomBytes(CODE_BYTES).toString('hex')
  const createdAt = services.now()
  const url = `${services.config.publicUrl}/v1/public/documents/verify/${code}`
  const issued = { code, url, createdAt }
  const document = documentOf(source, chosen, pictures, issued)
  const { bytes, pages } = await renderPdf(services, request.caller.organization_id, document, (unprintable) =>
    fieldOf(unprintable, chosen.template.blocks, factsOf(source, chosen, pictures, issued)),
  )
  const key = `documents/${request.caller.organization_id}/${randomUUID()}.pdf`
  await request.tenant((tx) => listObject(tx, key))
  let isClaimed = false
  const discard = () =>
    discardObject((work) => request.tenant(work), services.objects, key).catch((failure: unknown) =>
      request.log.warn({ err: failure }, 'file without document not deleted; the cleanup job retries'),
    )
  try {
    await services.objects.put(key, bytes, { contentType: 'application/pdf', maxBytes: MAX_DOCUMENT_BYTES })
    const answer = await request.tenantCreate(reply, async (tx) => {
      await mustBeUnchanged(tx, source, hash, read)
      const document = await insertDocument(tx, {
        kind: source.kind,
        appointment_id: null,
        form_id: null,
        treatment_plan_id: null,
        ...source.of,
        patient_profile_id: source.patient_profile_id,
        pdf_template_id: chosen.template.id,
        template_version: chosen.template.version,
        language: chosen.language,
        input_hash: hash,
        object_key: key,
        pages,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest(),
        verification_code: code,
        issued_by: chosen.letterhead.clinic.name,
        created_at: createdAt.toISOString(),
      })
      if (!document) return { data: await otherDocument(tx, hash) }
      isClaimed = await claimObject(tx, key)
      // Storing it took so long that the cleanup job may have deleted the file.
      if (!isClaimed) throw unavailable({}, { 'retry-after': RETRY_SECONDS })
      const patient_id = await findPatientId(tx, document.patient_profile_id)
      await record.created(request, tx, document, { payload: { patient_id } })
      return { data: document }
    })
    // The same document exists: from a concurrent request, or from the first one with this Idempotency-Key.
    if (!isClaimed) await discard()
    return answer
  } catch (error) {
    await discard()
    throw error
  }
}

/** While the document was rendered, its patient may have been erased and its source may have changed. */
async function mustBeUnchanged(
  tx: TenantTx,
  { patient_profile_id, of }: Source,
  hash: Buffer,
  read: (tx: TenantTx) => Promise<Prepared>,
): Promise<void> {
  if ('appointment_id' in of) {
    const { appointment_id } = of
    await asService(tx, LOCKING_PATIENT.codes, async (own) => {
      await lockPatientsOf(own, [appointment_id])
      await lockVisit(own, appointment_id)
    })
  }
  if (patient_profile_id !== null && !(await lockPatient(tx, patient_profile_id))) throw patientNotFound()
  if (!(await read(tx)).hash.equals(hash)) throw contentChanged()
}

/** The same document, created by a concurrent request. */
async function otherDocument(tx: TenantTx, hash: Buffer): Promise<AppointmentDocument> {
  const found = await findDocumentByInput(tx, hash)
  // It was erased between the two statements.
  if (!found) throw contentChanged()
  return found
}

interface Issue {
  code: string
  url: string
  createdAt: Date
}

/** What the blocks of the template can print. */
function factsOf(
  { facts }: Source,
  { letterhead, language }: Chosen,
  { signature, images }: Pictures,
  { url, createdAt }: Issue,
): DocumentFacts {
  const { signer, specialist, patient } = facts.signatures
  return {
    ...facts,
    values: {
      ...letterhead.values,
      ...facts.values,
      'document.date': dateIn(language, letterhead.time_zone, createdAt),
      'document.verification_url': url,
    },
    signatures: { signer: { ...signer, image: signature }, specialist: { ...specialist, image: signature }, patient },
    images,
  }
}

function documentOf(source: Source, chosen: Chosen, pictures: Pictures, issued: Issue): PdfDocument<Picture> {
  const { letterhead, language, template } = chosen
  const { code, url, createdAt } = issued
  return {
    title: source.title,
    language,
    clinic: { ...letterhead.clinic, logo: pictures.logo },
    brand_color: letterhead.brand_color,
    verification: { label: WORDS[language].verify, url, code },
    blocks: [...drawn(template.blocks, factsOf(source, chosen, pictures, issued)), ...source.appendix],
    created_at: createdAt,
  }
}

/** Hash of the whole content except code and date, so that printing again on another day gives the same document. */
function inputHash(source: Source, chosen: Chosen, pictures: Pictures): Buffer {
  const undated = documentOf(source, chosen, pictures, { code: '', url: '', createdAt: new Date(0) })
  const { id, version } = chosen.template
  const input = {
    ...undated,
    drawing: DRAWING_VERSION,
    of: source.of,
    kind: source.kind,
    profile: source.patient_profile_id,
    template: [id, version],
  }
  return createHash('sha256')
    .update(JSON.stringify(input, (key, value: unknown) => (key === 'object_key' ? undefined : value)))
    .digest()
}
