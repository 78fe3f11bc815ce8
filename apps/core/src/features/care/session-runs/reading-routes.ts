import {
  ById,
  ByRun,
  listParameters,
  Many,
  MyRunSummary,
  One,
  Replay,
  RunAnalytics,
  RunSummary,
  sessionRunList,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, patient, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findPatient, patientNotFound, patientResource } from '../../people/patients/index.ts'
import { mustSeePatients } from '../patient-conditions/index.ts'
import { replayNotFound, sessionRunNotFound } from './errors.ts'
import { analyse, summarise } from './reading.ts'
import { type ClinicRun, findClinicRun, findMyClinics, findReplay, listMyRuns, listRunsOf } from './reading-queries.ts'
import { REPLAY_URL_SECONDS } from './rules.ts'
import { record } from './run.ts'

const VIEW = permission('session_runs.view_org')

async function readRun(tx: TenantTx, runId: string): Promise<ClinicRun> {
  const run = await findClinicRun(tx, runId)
  if (!run) throw sessionRunNotFound()
  return run
}

const recorded = (run: ClinicRun) => ({ ...run, patient_id: run.patient.id })

const recordPatient = recorder({ ...patientResource, acts: { listed: { action: 'session_runs.list', crud: 'R' } } })

export const readingRoutes: Routes = (app, { objects, now }) => {
  app.get(
    '/v1/me/session-runs',
    {
      config: {
        access: patient(),
        summary: 'List your session runs',
        description: 'Includes measurements, at each of your clinics.',
      },
      schema: { querystring: listParameters(sessionRunList), response: { 200: Many(MyRunSummary) } },
    },
    async (request) => {
      const list = parseList(sessionRunList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        const [found, clinics] = await Promise.all([listMyRuns(tx, list), findMyClinics(tx)])
        const runs = await summarise(tx, found.rows)
        const rows = runs.map((run) => {
          const organization = clinics.get(run.organization_id)
          if (!organization) throw new Error(`the clinic of run ${run.id} is missing`)
          return { ...run, organization }
        })
        return { rows, total: found.total }
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/patients/:id/session-runs',
    {
      config: {
        access: VIEW,
        patientData: true,
        summary: 'List the session runs of a patient',
        description: 'Includes measurements. Access is logged.',
        refusals: [patientNotFound],
      },
      schema: { params: ById, querystring: listParameters(sessionRunList), response: { 200: Many(RunSummary) } },
    },
    async (request) => {
      mustSeePatients(request)
      const list = parseList(sessionRunList, request.query)
      return request.tenant(async (tx) => {
        const patient = await findPatient(tx, request.params.id)
        if (!patient) throw patientNotFound()
        const { rows, total } = await listRunsOf(tx, patient.patient_profile_id, list)
        await recordPatient.listed(request, tx, patient)
        return { data: await summarise(tx, rows), pagination: pageOf(list, total) }
      })
    },
  )

  app.get(
    '/v1/session-runs/:runId/analytics',
    {
      config: {
        access: VIEW,
        patientData: true,
        summary: 'Get the analytics of a session run',
        description: 'Returns events, repetitions and playback for each exercise. Access is logged.',
        refusals: [sessionRunNotFound],
      },
      schema: { params: ByRun, response: { 200: One(RunAnalytics) } },
    },
    async (request) => {
      mustSeePatients(request)
      return request.tenant(async (tx) => {
        const run = await readRun(tx, request.params.runId)
        await record.read(request, tx, recorded(run))
        return { data: await analyse(tx, run) }
      })
    },
  )

  app.get(
    '/v1/session-runs/:runId/replay',
    {
      config: {
        access: VIEW,
        patientData: true,
        secretAnswer: true,
        summary: 'Get the replay of a session run',
        description: 'Returns a short-lived URL of the recorded movements. Access is logged.',
        refusals: [sessionRunNotFound, replayNotFound],
      },
      schema: { params: ByRun, response: { 200: One(Replay) } },
    },
    async (request) => {
      mustSeePatients(request)
      const { object_key, ...replay } = await request.tenant(async (tx) => {
        const run = await readRun(tx, request.params.runId)
        const found = await findReplay(tx, run.id)
        if (!found) throw replayNotFound()
        await record.replayRead(request, tx, recorded(run))
        return found
      })
      const url = await objects.signedUrl(object_key, {
        method: 'GET',
        expiresInSeconds: REPLAY_URL_SECONDS,
        downloadName: `${request.params.runId}.pose.gz`,
      })
      const expires_at = new Date(now().getTime() + REPLAY_URL_SECONDS * 1000).toISOString()
      return { data: { url, expires_at, ...replay } }
    },
  )
}
