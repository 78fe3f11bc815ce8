import assert from 'node:assert/strict'
import { until } from '@tendon/testing'
import { buildWorker, type Worker } from '../../../build-worker.ts'
import { createServices } from '../../../create-services.ts'
import { jobs } from '../../../jobs.ts'
import type { DataClass } from '../../../platform/data-class.ts'
import { unclaimedObjectJobs } from '../../../platform/unclaimed-objects.ts'
import type { Services } from '../../../services.ts'
import { type Json, startCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { sealEntries } from '../audit-logs/seal-queries.ts'
import { gdprJobs } from './jobs.ts'

/** A core API with a worker beside it, on one database and one object store. */
export async function startCoreAndWorker(classes?: readonly DataClass[], replaced: Partial<Services> = {}) {
  const core = await startCore({ services: replaced })
  const log: string[] = []
  const startWorker = async (services: Partial<Services> = {}) => {
    const made = createServices(core.config, 'tendon_worker', core.database.url)
    const worker: Worker = await buildWorker({ ...made, ...replaced, ...services }, core.database.url, {
      jobs: classes ? [...gdprJobs(classes), ...unclaimedObjectJobs] : jobs,
      logStream: { write: (line) => void log.push(line) },
    })
    return async () => {
      await worker.stop()
      await made.close()
    }
  }

  /** Asks as the clinic's admin, and gives the request's id. */
  async function ask(kind: 'export' | 'erase', clinic: TestOrganization, patient_id: string, reason = 'Asked for') {
    const body = { patient_id, reason, ...(kind === 'erase' ? { confirm: 'ERASE' } : {}) }
    const answer = await core.post(`/v1/gdpr/${kind}`, { as: clinic.admin, body })
    assert.equal(answer.status, 202, answer.text)
    return answer.body.data.id as string
  }

  async function read(clinic: TestOrganization, id: string): Promise<Json> {
    const answer = await core.get(`/v1/gdpr/requests/${id}`, { as: clinic.admin })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  /** The request once it has come to an end. */
  const ended = (clinic: TestOrganization, id: string): Promise<Json> =>
    until(async () => {
      const request = await read(clinic, id)
      return ['completed', 'error', 'cancelled'].includes(request.status) ? request : undefined
    })

  /** Seals the audit log now, as the worker does every few seconds. */
  async function seal(): Promise<void> {
    const made = createServices(core.config, 'tendon_worker', core.database.url)
    while ((await sealEntries(made.db)) > 0);
    await made.close()
  }

  const keys = () => Array.fromAsync(core.services.objects.list('privacy-exports/'))

  return { ...core, workerLog: log, startWorker, ask, read, ended, seal, keys }
}

export type CoreAndWorker = Awaited<ReturnType<typeof startCoreAndWorker>>
