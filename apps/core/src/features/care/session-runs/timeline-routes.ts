import { ByRun, One, RunTimeline } from '@tendon/contracts'
import { permission } from '@tendon/http'
import { playableUrls } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import { mustSeePatients } from '../patient-conditions/index.ts'
import { sessionRunNotFound } from './errors.ts'
import { findClinicRun } from './reading-queries.ts'
import { record } from './run.ts'
import { READING_TIMELINE, timelineOf } from './timeline.ts'

export const timelineRoutes: Routes = (app, services) => {
  app.get(
    '/v1/session-runs/:runId/timeline',
    {
      config: {
        access: permission('session_runs.view_org'),
        service: READING_TIMELINE,
        patientData: true,
        secretAnswer: true,
        summary: 'Get the timeline of a session run',
        description:
          'Returns playback, exercise events, pain and repetitions on the clock of the replay, with the videos. Access is logged.',
        refusals: [sessionRunNotFound],
      },
      schema: { params: ByRun, response: { 200: One(RunTimeline) } },
    },
    async (request) => {
      mustSeePatients(request)
      const timeline = await request.tenant(async (tx) => {
        const run = await findClinicRun(tx, request.params.runId)
        if (!run) throw sessionRunNotFound()
        await record.read(request, tx, { ...run, patient_id: run.patient.id })
        return timelineOf(tx, run)
      })
      const exercises = await Promise.all(timeline.exercises.map((one) => playableUrls(services, one)))
      return { data: { ...timeline, exercises } }
    },
  )
}
