import { changesBetween } from '@tendon/access'
import {
  ByRun,
  EndedRun,
  ExerciseEvent,
  NewExerciseEvent,
  NewPainReport,
  NewSessionFeedback,
  One,
  PainReport,
  RunEnd,
  SessionFeedback,
} from '@tendon/contracts'
import { featureConsentRequired, patient, processingRestricted, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { exercisesOpen, sessionRunEnded, sessionRunNotFound } from './errors.ts'
import { listOutcomes } from './queries.ts'
import { recordEvent, reportPain } from './recording.ts'
import { findFeedback, saveFeedback } from './recording-queries.ts'
import { isRunning, openExercises } from './rules.ts'
import { endRun, enterRun, openRun, record, refuseWithdrawn } from './run.ts'

export const recordingRoutes: Routes = (app) => {
  app.post(
    '/v1/session-runs/:runId/exercise-event',
    {
      config: {
        access: patient(),
        operationId: 'recordExerciseEvent',
        summary: 'Record an exercise event',
        description: 'Records an event of an exercise in your run. Repeating the request has no effect.',
        refusals: [sessionRunNotFound, sessionRunEnded, processingRestricted, featureConsentRequired],
      },
      schema: { params: ByRun, body: NewExerciseEvent, response: { 200: One(ExerciseEvent) } },
    },
    async (request) => {
      const { runId } = request.params
      await enterRun(request, runId)
      return request.tenant(async (tx) => ({
        data: await recordEvent(request, tx, await openRun(tx, runId), request.body),
      }))
    },
  )

  app.post(
    '/v1/session-runs/:runId/pain',
    {
      config: {
        access: patient(),
        idempotent: true,
        operationId: 'reportPain',
        summary: 'Report pain',
        description: 'Records pain during your run. The report can skip the exercise or end the run.',
        refusals: [sessionRunNotFound, featureConsentRequired],
      },
      schema: { params: ByRun, body: NewPainReport, response: { 201: One(PainReport) } },
    },
    async (request, reply) => {
      const { params, body } = request
      if (body.action === 'skip_exercise' && !body.session_exercise_id)
        throw validationFailed({ fields: { session_exercise_id: 'is required with action skip_exercise' } })
      await enterRun(request, params.runId)
      return request.tenantCreate(reply, async (tx) => ({
        data: await reportPain(request, tx, await openRun(tx, params.runId), body),
      }))
    },
  )

  app.post(
    '/v1/session-runs/:runId/end',
    {
      config: {
        access: patient(),
        summary: 'End a session run',
        description: 'Has no effect on a run that has already ended.',
        refusals: [sessionRunNotFound, exercisesOpen],
      },
      schema: { params: ByRun, body: RunEnd, response: { 200: One(EndedRun) } },
    },
    async (request) => {
      const { runId } = request.params
      const { termination } = request.body
      await enterRun(request, runId)
      return request.tenant(async (tx) => {
        const run = await openRun(tx, runId)
        if (!isRunning(run)) return { data: run }
        if (termination === 'ended_naturally') {
          const open = openExercises(run.session_exercise_ids, await listOutcomes(tx, runId))
          if (open.length > 0) throw exercisesOpen({ session_exercise_ids: open })
        }
        await endRun(request, tx, run, termination)
        return { data: await openRun(tx, runId) }
      })
    },
  )

  app.post(
    '/v1/session-runs/:runId/feedback',
    {
      config: {
        access: patient(),
        operationId: 'submitSessionRunFeedback',
        summary: 'Submit feedback on a session run',
        description: 'Ends a run in progress and replaces earlier feedback.',
        refusals: [sessionRunNotFound, processingRestricted, featureConsentRequired],
      },
      schema: { params: ByRun, body: NewSessionFeedback, response: { 200: One(SessionFeedback) } },
    },
    async (request) => {
      const { runId } = request.params
      await enterRun(request, runId)
      return request.tenant(async (tx) => {
        const run = await openRun(tx, runId)
        await refuseWithdrawn(tx, run)
        await endRun(request, tx, run, 'ended_explicit')
        const before = await findFeedback(tx, runId)
        const after = await saveFeedback(tx, run, request.body)
        const changes = changesBetween(before ?? {}, after)
        const options = { changes, publish: changes.length > 0 }
        if (before) await record.feedbackChanged(request, tx, run, run, options)
        else await record.feedbackGiven(request, tx, run, options)
        return { data: after }
      })
    },
  )
}
