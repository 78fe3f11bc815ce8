import { type Caller, holds, publish } from '@tendon/access'
import {
  AcceptedPrivacyRequest,
  ById,
  listParameters,
  Many,
  NewErasure,
  NewExport,
  One,
  PrivacyRequest,
  PrivacyRequestDetails,
  privacyRequestList,
  RestrictedPatient,
  Restriction,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden, membership, pageOf, parseList, permission } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { addJob } from '../../../platform/jobs.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { alreadyErased, privacyRequestNotFound, requestNotCancellable, requestUnderWay } from './errors.ts'
import { JOB_OF, MAX_REQUEST_ATTEMPTS } from './job-names.ts'
import {
  cancelRequest,
  findRequest,
  findSubject,
  insertRequest,
  isRequested,
  listLinkedSubjects,
  listRequests,
  type NewRequest,
  RESTRICTING,
  restrictPatient,
  type StoredRequest,
  SUBJECTS,
  type Subject,
} from './queries.ts'

const DOWNLOAD_LINK_SECONDS = 15 * 60
const CODE_OF = { export: 'gdpr.export_data', erase: 'gdpr.erase_data' } as const

export const gdprRoutes: Routes = (app, { objects, now }) => {
  app.post(
    '/v1/gdpr/export',
    {
      config: {
        access: permission(CODE_OF.export),
        service: SUBJECTS,
        patientData: true,
        idempotent: true,
        operationId: 'exportPatientData',
        summary: 'Export the data of a patient',
        description:
          'Creates a background request that exports all data the clinic stores about a patient, and one for each linked record.',
        refusals: [patientNotFound, alreadyErased, requestUnderWay],
      },
      schema: { body: NewExport, response: { 202: One(AcceptedPrivacyRequest) } },
    },
    (request, reply) => accept(request, reply, 'export', request.body.patient_id, request.body.reason ?? null),
  )

  app.post(
    '/v1/gdpr/erase',
    {
      config: {
        access: permission(CODE_OF.erase),
        service: SUBJECTS,
        patientData: true,
        idempotent: true,
        operationId: 'erasePatient',
        summary: 'Erase a patient',
        description:
          'Creates a background request that permanently erases a patient at this clinic, and one for each linked record.',
        refusals: [patientNotFound, alreadyErased, requestUnderWay],
      },
      schema: { body: NewErasure, response: { 202: One(AcceptedPrivacyRequest) } },
    },
    (request, reply) => accept(request, reply, 'erase', request.body.patient_id, request.body.reason),
  )

  app.post(
    '/v1/gdpr/restrict',
    {
      config: {
        access: permission('gdpr.restrict_processing'),
        service: RESTRICTING,
        patientData: true,
        idempotent: true,
        operationId: 'restrictProcessing',
        summary: 'Restrict the processing of a patient’s data',
        description: 'Sets or lifts the restriction.',
        refusals: [patientNotFound],
      },
      schema: { body: Restriction, response: { 200: One(RestrictedPatient) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        reply.code(200)
        const { patient_id } = request.body
        const restricted_at = await restrictRecord(request, tx, request.body)
        for (const linked of await listLinkedSubjects(tx, patient_id))
          await restrictRecord(request, tx, { ...request.body, patient_id: linked.patient_id })
        return { data: { patient_id, restricted_at } }
      }),
  )

  app.get(
    '/v1/gdpr/requests',
    {
      config: {
        access: membership(),
        patientData: true,
        summary: 'List privacy requests',
        description: 'Returns exports and erasures.',
      },
      schema: { querystring: listParameters(privacyRequestList), response: { 200: Many(PrivacyRequest) } },
    },
    async (request) => {
      requireEither(request.caller)
      const list = parseList(privacyRequestList, request.query)
      const { rows, total } = await request.findPage((tx) => listRequests(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/gdpr/requests/:id',
    {
      config: {
        access: membership(),
        patientData: true,
        secretAnswer: true,
        summary: 'Get the status and result of a privacy request',
        refusals: [privacyRequestNotFound],
      },
      schema: { params: ById, response: { 200: One(PrivacyRequestDetails) } },
    },
    async (request) => {
      requireEither(request.caller)
      const found = await request.tenant(async (tx) => {
        const stored = await findRequest(tx, request.params.id)
        if (!stored) throw privacyRequestNotFound()
        if (isDownloadable(stored, request.caller)) {
          await request.audit(tx, {
            action: 'gdpr.download_link',
            crud: 'E',
            target: { type: 'privacy_request', id: stored.id },
            patientProfileId: stored.patient_profile_id,
          })
        }
        return stored
      })
      return { data: await describe(found, request.caller) }
    },
  )

  app.post(
    '/v1/gdpr/requests/:id/cancel',
    {
      config: {
        access: membership(),
        patientData: true,
        idempotent: true,
        summary: 'Cancel a privacy request',
        description: 'Only a request that has not started can be cancelled.',
        refusals: [privacyRequestNotFound, requestNotCancellable],
      },
      schema: { params: ById, response: { 200: One(PrivacyRequest) } },
    },
    (request, reply) => {
      requireEither(request.caller)
      return request.tenantCreate(reply, async (tx) => {
        reply.code(200)
        const before = await findRequest(tx, request.params.id)
        if (!before) throw privacyRequestNotFound()
        const code = CODE_OF[before.kind]
        if (!holds(request.caller, code)) throw forbidden({ required: code })
        const after = await cancelRequest(tx, before.id)
        if (!after) throw requestNotCancellable({ status: (await findRequest(tx, before.id))?.status ?? before.status })
        await request.audit(tx, {
          action: `gdpr.cancel_${before.kind}`,
          crud: 'U',
          target: { type: 'privacy_request', id: before.id },
          patientProfileId: before.patient_profile_id,
          changes: [{ field: 'status', before: before.status, after: after.status }],
        })
        await publish(tx, `gdpr.${before.kind}_cancelled`, { request_id: before.id, patient_id: before.patient_id })
        return { data: after }
      })
    },
  )

  /** A row to watch and a job to do it, both or neither. */
  function accept(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: PrivacyRequest['kind'],
    patientId: string,
    reason: string | null,
  ) {
    return request.tenantCreate(reply, async (tx) => {
      reply.code(202)
      const subject = await findSubject(tx, patientId)
      if (!subject) throw patientNotFound()
      if (subject.erased_at !== null) throw alreadyErased()
      const created = await acceptFor(request, tx, subject, { kind, reason })
      const linked_request_ids: string[] = []
      for (const linked of await listLinkedSubjects(tx, subject.patient_id)) {
        if (await isRequested(tx, linked.patient_id, kind)) continue
        linked_request_ids.push((await acceptFor(request, tx, linked, { kind, reason })).id)
      }
      return { data: { ...created, linked_request_ids } }
    })
  }

  /** The link is made for this one answer. */
  async function describe(stored: StoredRequest, caller: Caller) {
    const { result, object_key, patient_profile_id: _internal, ...facts } = stored
    const completed = stored.status === 'completed'
    const link = { method: 'GET', expiresInSeconds: DOWNLOAD_LINK_SECONDS } as const
    return {
      ...facts,
      manifest: completed && result !== null && 'files' in result ? result : null,
      certificate: completed && result !== null && 'hash' in result ? result : null,
      download_url:
        object_key !== null && isDownloadable(stored, caller)
          ? await objects.signedUrl(object_key, { ...link, downloadName: `export-${stored.id}.zip` })
          : null,
    }
  }

  function isDownloadable({ kind, status, object_key, expires_at }: StoredRequest, caller: Caller): boolean {
    const kept = object_key !== null && expires_at !== null && Date.parse(expires_at) > now().getTime()
    return kind === 'export' && status === 'completed' && kept && holds(caller, CODE_OF.export)
  }
}

async function restrictRecord(
  request: FastifyRequest,
  tx: TenantTx,
  { patient_id, restricted, reason }: Restriction,
): Promise<string | null> {
  const patient = await restrictPatient(tx, patient_id, restricted)
  if (!patient) throw patientNotFound()
  const { patient_profile_id, name, restricted_before, restricted_at } = patient
  const changed = (restricted_before === null) === restricted
  await request.audit(tx, {
    action: restricted ? 'gdpr.restrict' : 'gdpr.lift_restriction',
    crud: 'U',
    target: { type: 'patient', id: patient.patient_id, label: name },
    patientProfileId: patient_profile_id,
    reason,
    changes: changed ? [{ field: 'restricted_at', before: restricted_before, after: restricted_at }] : [],
  })
  if (changed)
    await publish(tx, restricted ? 'patient.restricted' : 'patient.unrestricted', { patient_id: patient.patient_id })
  return restricted_at
}

async function acceptFor(
  request: FastifyRequest,
  tx: TenantTx,
  subject: Subject,
  { kind, reason }: Pick<NewRequest, 'kind' | 'reason'>,
): Promise<PrivacyRequest> {
  const created = await insertRequest(tx, subject, { kind, reason, requestedBy: request.caller.principal_id })
  await addJob(tx, JOB_OF[kind], { request_id: created.id }, { maxAttempts: MAX_REQUEST_ATTEMPTS })
  await request.audit(tx, {
    action: `gdpr.${kind}`,
    crud: kind === 'export' ? 'E' : 'D',
    target: { type: 'patient', id: subject.patient_id, label: subject.name },
    patientProfileId: subject.patient_profile_id,
    ...(reason === null ? {} : { reason }),
    changes: [{ field: 'privacy_request_id', before: null, after: created.id }],
  })
  await publish(tx, `gdpr.${kind}_accepted`, { request_id: created.id, patient_id: subject.patient_id })
  return created
}

/** Either permission allows viewing both kinds. */
function requireEither(caller: Caller): void {
  if (!holds(caller, CODE_OF.export) && !holds(caller, CODE_OF.erase)) throw forbidden({ required: CODE_OF.export })
}
