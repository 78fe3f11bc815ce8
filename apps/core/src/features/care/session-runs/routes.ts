import { ByRun, NewSessionRun, One, RunPayload, StartedRun } from '@tendon/contracts'
import { featureConsentRequired, patient, processingRestricted } from '@tendon/http'
import { playableUrls } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import { planNotActive, planSessionNotFound, sessionRunNotFound } from './errors.ts'
import { readPayload } from './payload.ts'
import { findClinicOfSession } from './queries.ts'
import { enterClinic } from './run.ts'
import { startOrResume } from './starting.ts'
import { createTokens } from './token.ts'

export const sessionRunRoutes: Routes = (app, services) => {
  const tokenFor = createTokens(services)

  app.post(
    '/v1/session-runs',
    {
      config: {
        access: patient(),
        idempotent: true,
        operationId: 'startSessionRun',
        summary: 'Start or resume a session run',
        description: 'Starts a session of your treatment plan, or resumes the run in progress.',
        refusals: [planSessionNotFound, planNotActive, featureConsentRequired, processingRestricted],
      },
      schema: { body: NewSessionRun, response: { 200: StartedRun } },
    },
    async (request, reply) => {
      const { plan_session_id } = request.body
      const found = await request.find((tx) => findClinicOfSession(tx, plan_session_id))
      await enterClinic(request, found, planSessionNotFound)
      return request.tenantCreate(reply, async (tx) => {
        reply.code(200)
        const { run, consents } = await startOrResume(request, tx, plan_session_id, services.now())
        return { run_id: run.id, ...(await tokenFor(run, request.caller.principal_id, consents.pose)) }
      })
    },
  )

  app.get(
    '/v1/session-runs/:runId/payload',
    {
      config: {
        access: patient(),
        secretAnswer: true,
        summary: 'Get the player payload of a session run',
        description: 'Returns everything a player needs. Includes a new telemetry token while the run is in progress.',
        refusals: [sessionRunNotFound],
      },
      schema: { params: ByRun, response: { 200: One(RunPayload) } },
    },
    async (request) => {
      const payload = await request.tenant((tx) => readPayload(tx, request.params.runId, request.caller, tokenFor))
      const exercises = await Promise.all(payload.exercises.map((one) => playableUrls(services, one)))
      return { data: { ...payload, exercises, telemetry_url: services.config.telemetryUrl } }
    },
  )
}
