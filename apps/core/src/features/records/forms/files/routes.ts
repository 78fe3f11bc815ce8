import {
  DeletedFormFile,
  FileRedirect,
  type Form,
  FormFileParams,
  type FormQuestion,
  fileLimitsOf,
  UploadedFormFile,
  valueKeyOf,
  visibleFields,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { permissionOrPatient, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../../feature.ts'
import { MAX_UPLOAD_MS, multipartExpected, takeFile, type UploadRules } from '../../../../platform/uploads.ts'
import { invalidForm } from '../../form-templates/index.ts'
import { formAlreadySigned, formNotFound } from '../errors.ts'
import { shownForm } from '../privacy.ts'
import type { FormRow } from '../queries.ts'
import { isAbout, LOCKING_FORM, openFormToFill, READING_FORM, readForm } from '../record.ts'
import { saveForm } from '../saving.ts'
import { fieldNotFileType, fieldNotFound, fileNotFound, fileTooLarge, invalidFileType } from './errors.ts'
import { deleteFile, findFile, listFiles, type StoredFormFile, upsertFile } from './queries.ts'
import { changeOf, record } from './record.ts'

/** "a signed URL valid 15 minutes" */
const SIGNED_URL_SECONDS = 15 * 60

type FileRequest = FastifyRequest<{ Params: { id: string; fieldKey: string } }>

export const formFileRoutes: Routes = (app, services) => {
  const signedUrl = ({ s3_key, name, mime }: Pick<StoredFormFile, 's3_key' | 'name' | 'mime'>) =>
    services.objects.signedUrl(s3_key, {
      method: 'GET',
      expiresInSeconds: SIGNED_URL_SECONDS,
      downloadName: name,
      contentType: mime,
    })

  app.post(
    '/v1/forms/:id/files/:fieldKey',
    {
      config: {
        access: permissionOrPatient('forms.fill_own'),
        service: LOCKING_FORM,
        patientData: true,
        upload: true,
        operationId: 'uploadFormFile',
        summary: 'Upload a file to a form',
        description: 'Replaces the file that the field has.',
        invalid: invalidForm,
        refusals: [
          formNotFound,
          formAlreadySigned,
          fieldNotFound,
          fieldNotFileType,
          fileTooLarge,
          invalidFileType,
          multipartExpected,
          processingRestricted,
        ],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: FormFileParams, response: { 201: UploadedFormFile } },
    },
    async (request, reply) => {
      const { field } = await request.tenant((tx) => openAskedField(request, tx))
      const file = await takeFile(request, services, rulesFor(field), async (tx, { key, bytes, ...upload }) => {
        const { form, field } = await openAskedField(request, tx)
        const before = await findFile(tx, form.id, request.params.fieldKey)
        const stored = await upsertFile(tx, {
          ...upload,
          s3_key: key,
          size: bytes,
          form_id: form.id,
          field_key: request.params.fieldKey,
          patient_profile_id: form.patient_profile_id,
        })
        const change = changeOf({ field, before, after: stored })
        if (before) await record.replaced(request, tx, form, form, change)
        else await record.uploaded(request, tx, form, change)
        // A file is the answer to its field, so the form's status may change.
        await saveForm(request, tx, form, {}, { now: services.now(), mayReopen: true })
        return stored
      })
      return reply.code(201).send({ field_key: file.field_key, file, signed_url: await signedUrl(file) })
    },
  )

  app.get(
    '/v1/forms/:id/files/:fieldKey',
    {
      config: {
        access: permissionOrPatient('forms.view_org'),
        service: READING_FORM,
        patientData: true,
        operationId: 'downloadFormFile',
        summary: 'Download a file of a form',
        description: 'Redirects to a URL that is valid for 15 minutes.',
        refusals: [formNotFound, fieldNotFound, fieldNotFileType, fileNotFound],
      },
      schema: { params: FormFileParams, response: { 302: FileRedirect } },
    },
    async (request, reply) => {
      const file = await request.tenant(async (tx) => {
        const form = await readForm(request, tx, request.params.id)
        fileFieldOf(await shownForm(tx, request, form), request.params.fieldKey)
        const found = await readFile(tx, form, request.params.fieldKey)
        if (!isAbout(request.caller, form)) await record.read(request, tx, form)
        return found
      })
      return reply.redirect(await signedUrl(file), 302)
    },
  )

  app.delete(
    '/v1/forms/:id/files/:fieldKey',
    {
      config: {
        access: permissionOrPatient('forms.fill_own'),
        service: LOCKING_FORM,
        patientData: true,
        summary: 'Delete a file of a form',
        description: 'The form must not be signed. A file that a completed form requires can only be replaced.',
        invalid: invalidForm,
        refusals: [
          formNotFound,
          formAlreadySigned,
          fieldNotFound,
          fieldNotFileType,
          fileNotFound,
          processingRestricted,
        ],
      },
      schema: { params: FormFileParams, response: { 200: DeletedFormFile } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { form, field } = await openField(request, tx)
        const file = await readFile(tx, form, request.params.fieldKey)
        await deleteFile(tx, form.id, file.field_key)
        await record.deleted(request, tx, form, undefined, changeOf({ field, before: file }))
        await saveForm(request, tx, form, {}, { now: services.now() })
        return { field_key: file.field_key, message: 'The file was deleted.' }
      }),
  )
}

/** The form, locked, and its field, of which the caller may change the file. */
async function openField(request: FileRequest, tx: TenantTx): Promise<{ form: FormRow; field: FormQuestion }> {
  const { id, fieldKey } = request.params
  const form = await openFormToFill(request, tx, id)
  const field = fileFieldOf(await shownForm(tx, request, form), fieldKey)
  if (field.read_only && isAbout(request.caller, form))
    throw invalidForm({ fields: { [fieldKey]: 'can only be changed by the clinic' } })
  return { form, field }
}

/** Like `openField`; a question that is not asked accepts no file. */
async function openAskedField(request: FileRequest, tx: TenantTx) {
  const { form, field } = await openField(request, tx)
  const files = new Set((await listFiles(tx, form.id)).map(({ field_key }) => field_key))
  if (!visibleFields(form.fields, form.values, files).some(({ key }) => key === field.key))
    throw invalidForm({ fields: { [request.params.fieldKey]: 'is hidden by the other answers' } })
  return { form, field }
}

/** Files of the fields that the caller may see. */
function fileFieldOf({ fields }: Form, fieldKey: string): FormQuestion {
  const field = fields.find((one) => valueKeyOf(one) === fieldKey)
  if (!field) throw fieldNotFound()
  if (field.type !== 'file') throw fieldNotFileType()
  return field
}

async function readFile(tx: TenantTx, form: FormRow, fieldKey: string): Promise<StoredFormFile> {
  const file = await findFile(tx, form.id, fieldKey)
  if (!file) throw fileNotFound()
  return file
}

function rulesFor(field: FormQuestion): UploadRules {
  const { maxBytes, types } = fileLimitsOf(field)
  return {
    folder: 'form-files',
    maxBytes,
    types,
    tooLarge: () => fileTooLarge({ max_file_size: maxBytes }),
    wrongType: () => invalidFileType({ allowed_file_types: types }),
  }
}
