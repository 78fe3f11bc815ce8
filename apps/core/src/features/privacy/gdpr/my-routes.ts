import { publish } from '@tendon/access'
import { ById, listParameters, Many, MyExport, MyExportDetails, myExportList, One } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, patient } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { addJob } from '../../../platform/jobs.ts'
import { patientNotFound } from '../../people/patients/index.ts'
import { privacyRequestNotFound, requestUnderWay } from './errors.ts'
import { JOB_OF, MAX_REQUEST_ATTEMPTS } from './job-names.ts'
import { findMyExport, isPatientHere, listMyExports, requestMyExports, type StoredExport } from './my-queries.ts'

const DOWNLOAD_LINK_SECONDS = 15 * 60

/** A patient's own exports: the same job as the clinic's. */
export const myExportRoutes: Routes = (app, { objects, now }) => {
  app.post(
    '/v1/me/export',
    {
      config: {
        access: patient(),
        idempotent: true,
        operationId: 'exportMyData',
        summary: 'Export your data',
        description:
          'Creates background requests that export everything the clinic in context stores about you: one for each of your records there. Returns the first; GET /v1/me/exports lists all.',
        refusals: [patientNotFound, requestUnderWay],
      },
      schema: { response: { 202: One(MyExport) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        reply.code(202)
        if (!(await isPatientHere(tx))) throw patientNotFound()
        const ids = await requestMyExports(tx)
        for (const id of ids) await startExport(request, tx, await readExport(tx, id))
        if (ids[0] === undefined) throw requestUnderWay()
        return { data: await readExport(tx, ids[0]) }
      }),
  )

  app.get(
    '/v1/me/exports',
    {
      config: { access: patient(), contentTag: true, summary: 'List the exports you requested' },
      schema: { querystring: listParameters(myExportList), response: { 200: Many(MyExport) } },
    },
    async (request) => {
      const list = parseList(myExportList, request.query)
      const { rows, total } = await request.findPage((tx) => listMyExports(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/me/exports/:id',
    {
      config: {
        access: patient(),
        secretAnswer: true,
        summary: 'Get the status of your export and its file',
        refusals: [privacyRequestNotFound],
      },
      schema: { params: ById, response: { 200: One(MyExportDetails) } },
    },
    async (request) => {
      const found = await request.tenant((tx) => readExport(tx, request.params.id))
      const { object_key, expires_at } = found
      const kept = found.status === 'completed' && expires_at !== null && Date.parse(expires_at) > now().getTime()
      const link = { method: 'GET', expiresInSeconds: DOWNLOAD_LINK_SECONDS } as const
      const download_url =
        kept && object_key !== null
          ? await objects.signedUrl(object_key, { ...link, downloadName: `export-${found.id}.zip` })
          : null
      return { data: { ...found, download_url } }
    },
  )
}

async function startExport(
  request: FastifyRequest,
  tx: TenantTx,
  { id, patient_id, patient_profile_id }: StoredExport,
): Promise<void> {
  await addJob(tx, JOB_OF.export, { request_id: id }, { maxAttempts: MAX_REQUEST_ATTEMPTS })
  await request.audit(tx, {
    action: 'gdpr.export',
    crud: 'E',
    target: { type: 'patient', id: patient_id },
    patientProfileId: patient_profile_id,
    changes: [{ field: 'privacy_request_id', before: null, after: id }],
  })
  await publish(tx, 'gdpr.export_accepted', { request_id: id, patient_id })
}

async function readExport(tx: TenantTx, id: string): Promise<StoredExport> {
  const found = await findMyExport(tx, id)
  if (!found) throw privacyRequestNotFound()
  return found
}
