import { holds } from '@tendon/access'
import {
  AppointmentFile,
  AppointmentFileParams,
  ById,
  Choices,
  FileRedirect,
  MAX_APPOINTMENT_FILE_BYTES,
  MAX_APPOINTMENT_FILES,
  NoContent,
  One,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { permissionOrPatient, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../../feature.ts'
import { recorder } from '../../../../platform/recorder.ts'
import { MAX_UPLOAD_MS, multipartExpected, takeFile, type UploadRules } from '../../../../platform/uploads.ts'
import { appointmentNotFound } from '../errors.ts'
import {
  appointmentFileNotFound,
  appointmentFileTooLarge,
  invalidAppointmentFileType,
  notYourFile,
  tooManyFiles,
} from './errors.ts'
import { deleteFile, findFile, findOwner, insertFile, listFiles, lockFiles, type Owner } from './queries.ts'

const LINK_SECONDS = 15 * 60
const TYPES = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/tiff',
  'text/plain',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]
const RULES: UploadRules = {
  folder: 'appointment-files',
  maxBytes: MAX_APPOINTMENT_FILE_BYTES,
  types: TYPES,
  tooLarge: () => appointmentFileTooLarge({ max_file_size: MAX_APPOINTMENT_FILE_BYTES }),
  wrongType: () => invalidAppointmentFileType({ allowed_file_types: TYPES }),
}

interface Recorded {
  file: AppointmentFile
  owner: Owner
}

const record = recorder({
  target: ({ owner }: Recorded) => ({ type: 'appointment', id: owner.id }),
  facts: ({ file: { name, size, mime } }: Recorded) => ({ name, size, mime }),
  payload: ({ file, owner }: Recorded) => ({
    appointment_id: owner.id,
    file_id: file.id,
    patient_profile_id: owner.patient_profile_id,
  }),
  patientProfileId: ({ owner }) => owner.patient_profile_id,
  acts: {
    uploaded: { action: 'appointment_files.upload', crud: 'C', event: 'appointment.file_uploaded' },
    read: { action: 'appointment_files.read', crud: 'R' },
    deleted: { action: 'appointment_files.delete', crud: 'D', event: 'appointment.file_deleted' },
  },
})

/** For staff with the permission, and for patients at their own appointments. */
export const appointmentFileRoutes: Routes = (app, services) => {
  app.get(
    '/v1/appointments/:id/files',
    {
      config: {
        access: permissionOrPatient('appointments.view_org'),
        patientData: true,
        summary: 'List the files of an appointment',
        description: 'Patients can list only files of their own appointments.',
        refusals: [appointmentNotFound],
      },
      schema: { params: ById, response: { 200: Choices(AppointmentFile) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const owner = await openAppointment(request, tx, 'appointments.view_org')
        return { data: await listFiles(tx, owner.id) }
      }),
  )

  app.post(
    '/v1/appointments/:id/files',
    {
      config: {
        access: permissionOrPatient('appointments.manage'),
        patientData: true,
        upload: true,
        summary: 'Upload a file to an appointment',
        description: 'The patient of the appointment can see it.',
        refusals: [
          appointmentNotFound,
          multipartExpected,
          appointmentFileTooLarge,
          invalidAppointmentFileType,
          tooManyFiles,
          processingRestricted,
        ],
      },
      handlerTimeout: MAX_UPLOAD_MS,
      schema: { params: ById, response: { 201: One(AppointmentFile) } },
    },
    async (request, reply) => {
      await request.tenant((tx) => openAppointment(request, tx, 'appointments.manage'))
      const data = await takeFile(request, services, RULES, async (tx, { key, bytes, name, mime, sha256 }) => {
        const owner = await openAppointment(request, tx, 'appointments.manage')
        await lockFiles(tx, owner.id)
        if ((await listFiles(tx, owner.id)).length >= MAX_APPOINTMENT_FILES) throw tooManyFiles()
        const file = await insertFile(tx, {
          appointment_id: owner.id,
          patient_profile_id: owner.patient_profile_id,
          object_key: key,
          name,
          size: bytes,
          mime,
          sha256,
        })
        await record.uploaded(request, tx, { file, owner })
        return file
      })
      return reply.code(201).send({ data })
    },
  )

  app.get(
    '/v1/appointments/:id/files/:fileId',
    {
      config: {
        access: permissionOrPatient('appointments.view_org'),
        patientData: true,
        operationId: 'downloadAppointmentFile',
        summary: 'Download a file of an appointment',
        description: 'Redirects to a URL that is valid for 15 minutes.',
        refusals: [appointmentNotFound, appointmentFileNotFound],
      },
      schema: { params: AppointmentFileParams, response: { 302: FileRedirect } },
    },
    async (request, reply) => {
      const file = await request.tenant(async (tx) => {
        const owner = await openAppointment(request, tx, 'appointments.view_org')
        const found = await readFile(tx, owner, request.params.fileId)
        await record.read(request, tx, { file: found, owner })
        return found
      })
      const url = await services.objects.signedUrl(file.object_key, {
        method: 'GET',
        expiresInSeconds: LINK_SECONDS,
        downloadName: file.name,
        contentType: file.mime,
      })
      return reply.redirect(url, 302)
    },
  )

  app.delete(
    '/v1/appointments/:id/files/:fileId',
    {
      config: {
        access: permissionOrPatient('appointments.manage'),
        patientData: true,
        summary: 'Delete a file of an appointment',
        description: 'Patients can delete only files that they uploaded.',
        refusals: [appointmentNotFound, appointmentFileNotFound, notYourFile],
      },
      schema: { params: AppointmentFileParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const owner = await openAppointment(request, tx, 'appointments.manage')
        const file = await readFile(tx, owner, request.params.fileId)
        const { caller } = request
        if (!holds(caller, 'appointments.manage') && file.uploaded_by_principal_id !== caller.principal_id)
          throw notYourFile()
        await deleteFile(tx, file.id)
        await record.deleted(request, tx, { file, owner })
      })
      return reply.code(204).send(null)
    },
  )
}

/** Any appointment of the clinic for callers with the permission, otherwise only the caller's own. */
async function openAppointment(
  request: FastifyRequest<{ Params: { id: string } }>,
  tx: TenantTx,
  code: string,
): Promise<Owner> {
  const owner = await findOwner(tx, request.params.id)
  const { caller } = request
  const isOwn = caller.profile_ids?.includes(owner?.patient_profile_id ?? '') ?? false
  if (!owner || !(isOwn || holds(caller, code))) throw appointmentNotFound()
  return owner
}

async function readFile(tx: TenantTx, { id }: Owner, fileId: string) {
  const file = await findFile(tx, id, fileId)
  if (!file) throw appointmentFileNotFound()
  return file
}
