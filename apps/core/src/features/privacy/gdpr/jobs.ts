import { randomUUID } from 'node:crypto'
import { publish } from '@tendon/access'
import type { ObjectStore } from '@tendon/object-store'
import type { DataClass } from '../../../platform/data-class.ts'
import { failureName } from '../../../platform/failure-name.ts'
import type { Job, JobPayload, JobTools } from '../../../platform/jobs.ts'
import { zip } from '../../../platform/zip.ts'
import { erasePatient } from './erase.ts'
import { PatientExport } from './export.ts'
import { CLEANUP_JOB, ERASE_ACCOUNT_RECORD_JOB, FINISH_ERASURE_JOB, JOB_OF } from './job-names.ts'
import { findRequest, findSubject } from './queries.ts'
import { patientFolder, requestFolder } from './rules.ts'
import {
  completeErasure,
  completeExport,
  failStalledRequests,
  findOrganization,
  forgetExpiredExports,
  noteFailure,
  startAccountErasure,
  startErasure,
  startExport,
  updateProgress,
} from './work-queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// Below the maximum size of a multipart upload to S3.
const MAX_EXPORT_BYTES = 64 * 1024 ** 3
const EXPORT_RETENTION_MS = 7 * DAY_MS
/** Longer than any job is tried. */
const STALLED_AFTER_MS = 4 * DAY_MS
/** What the last step, completing, leaves to go. */
const WRITTEN_PERCENT = 95

/** Exports and erasures of these classes of data. */
export const gdprJobs = (classes: readonly DataClass[]): Job[] => [
  {
    name: JOB_OF.export,
    run: (payload, tools) => noting(tools, idIn(payload, 'request_id'), (id) => exportPatient(tools, classes, id)),
  },
  {
    name: JOB_OF.erase,
    run: (payload, tools) => noting(tools, idIn(payload, 'request_id'), (id) => erase(tools, classes, id)),
  },
  {
    name: FINISH_ERASURE_JOB,
    run: (payload, tools) => {
      // What was erased never ends as an error: it waits for its files to go.
      const unending = { ...tools, lastAttempt: false }
      return noting(unending, idIn(payload, 'request_id'), () => finishErasure(payload, tools))
    },
  },
  {
    name: ERASE_ACCOUNT_RECORD_JOB,
    run: (payload, tools) => eraseAccountRecord(tools, classes, idIn(payload, 'patient_id')),
  },
  { name: CLEANUP_JOB, cron: '23 * * * *', run: (_payload, tools) => tidy(tools) },
]

/**
 * Each attempt writes under a key of its own and removes what earlier ones left. Only the attempt whose key the request
 * names can complete it; one that was overtaken, or whose patient was erased meanwhile, removes its own file.
 */
async function exportPatient(tools: JobTools, classes: readonly DataClass[], requestId: string): Promise<void> {
  const { tenant, services } = tools
  const { objects } = services
  const request = await tenant((tx) => findRequest(tx, requestId))
  if (!request) return
  const folder = requestFolder(organizationOf(tools), request.patient_id, requestId)
  const key = `${folder}${randomUUID()}.zip`
  const work = await tenant((tx) => startExport(tx, requestId, key))
  const kept = work ? undefined : await tenant((tx) => findRequest(tx, requestId))
  if (kept?.status === 'completed') return
  await deleteFolder(objects, folder)
  if (!work) return

  const organization = await tenant(findOrganization)
  const now = services.now()
  const onProgress = async (done: number, of: number) => {
    const percent = Math.floor((done / of) * WRITTEN_PERCENT)
    if (!(await tenant((tx) => updateProgress(tx, requestId, key, percent)))) throw new Overtaken()
  }
  try {
    const contents = new PatientExport({ tools, classes, work, organization, now, onProgress })
    const body = zip(contents.entries(), now)
    await objects.put(key, body, { contentType: 'application/zip', maxBytes: MAX_EXPORT_BYTES })
    await tenant(async (tx) => {
      const times = { completedAt: now, expiresAt: new Date(now.getTime() + EXPORT_RETENTION_MS) }
      if (!(await completeExport(tx, requestId, key, contents.manifest, times))) throw new Overtaken()
      await tools.audit(tx, {
        action: 'gdpr.export_completed',
        crud: 'E',
        target: { type: 'privacy_request', id: requestId },
        patientProfileId: work.patient_profile_id,
      })
      await publish(tx, 'gdpr.export_completed', { request_id: requestId, patient_id: work.patient_id })
    })
  } catch (error) {
    await objects.delete(key).catch((failure: unknown) => tools.log.warn({ err: failure }, 'file not deleted'))
    if (!(error instanceof Overtaken)) throw error
  }
}

/** Another attempt has taken the request, or it has ended. */
class Overtaken extends Error {}

async function erase(tools: JobTools, classes: readonly DataClass[], requestId: string): Promise<void> {
  if (await tools.tenant((tx) => startErasure(tx, requestId))) await erasePatient(tools, classes, requestId)
}

/** Done when the record is erased: the clinic may call its own request off, or see it fail, at the same moment. */
async function eraseAccountRecord(tools: JobTools, classes: readonly DataClass[], patientId: string): Promise<void> {
  const requestId = await tools.tenant((tx) => startAccountErasure(tx, patientId))
  if (requestId !== undefined) await noting(tools, requestId, (id) => erasePatient(tools, classes, id))
  const subject = await tools.tenant((tx) => findSubject(tx, patientId))
  if (subject?.erased_at === null) throw new Error('erasure not completed')
}

/** Files go after the rows that named them; then the erasure is complete. The log tells of it without a word about whom. */
async function finishErasure(payload: JobPayload, tools: JobTools): Promise<void> {
  const { tenant, audit, services } = tools
  const requestId = idIn(payload, 'request_id')
  const keys = Array.isArray(payload.keys) ? payload.keys.map(String) : []
  for (const key of keys) await services.objects.delete(key)
  await deleteFolder(services.objects, patientFolder(organizationOf(tools), idIn(payload, 'patient_id')))
  await tenant(async (tx) => {
    const done = await completeErasure(tx, requestId, services.now())
    if (!done) return
    await audit(tx, {
      action: 'gdpr.erase_completed',
      crud: 'D',
      target: { type: 'patient', id: done.patient_id },
      changes: [{ field: 'certificate', before: null, after: done.certificate.hash }],
    })
    await publish(tx, 'gdpr.erase_completed', { request_id: requestId, patient_id: done.patient_id })
  })
}

async function tidy({ tenant, services }: JobTools): Promise<void> {
  const now = services.now()
  await tenant((tx) => failStalledRequests(tx, new Date(now.getTime() - STALLED_AFTER_MS)))
  await tenant((tx) => forgetExpiredExports(tx, now))
}

/** A failure is recorded in the request; the last one ends it. */
async function noting(tools: JobTools, requestId: string, work: (requestId: string) => Promise<void>): Promise<void> {
  try {
    await work(requestId)
  } catch (error) {
    const kind = failureName(error)
    await tools
      .tenant((tx) => noteFailure(tx, requestId, kind, tools.lastAttempt))
      .catch((failure: unknown) => tools.log.error({ err: failure }, 'recording the failure failed'))
    throw error
  }
}

async function deleteFolder(objects: ObjectStore, folder: string): Promise<void> {
  for await (const key of objects.list(folder)) await objects.delete(key)
}

function organizationOf({ organizationId }: JobTools): string {
  if (organizationId === null) throw new Error('this job belongs to an organization')
  return organizationId
}

function idIn(payload: JobPayload, name: string): string {
  const id = payload[name]
  if (typeof id !== 'string') throw new Error(`the job names no ${name}`)
  return id
}
