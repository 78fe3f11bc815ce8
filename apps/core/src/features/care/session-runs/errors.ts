import { type Constraints, refusal } from '@tendon/http'

export const planSessionNotFound = refusal(
  404,
  'plan_session_not_found',
  'None of your treatment plans has this session. GET /v1/me/treatment-plans lists your plans, GET /v1/me/treatment-plans/{id} returns the sessions of one.',
)
export const planNotActive = refusal(
  409,
  'plan_not_active',
  'The treatment plan of this session has ended. Ask your clinic for a new one.',
)
export const sessionRunNotFound = refusal(
  404,
  'session_run_not_found',
  'There is no session run with this id. GET /v1/me/session-runs lists yours, GET /v1/patients/{id}/session-runs those of a patient.',
)
export const sessionRunEnded = refusal(
  409,
  'session_run_ended',
  'This session run has ended ({status}). Start a new one with POST /v1/session-runs.',
  { status: 'ended_auto' },
)
export const exercisesOpen = refusal(
  409,
  'exercises_open',
  'Some exercises have not ended; see "session_exercise_ids". Send the missing exercise events first, or end the run with "ended_explicit".',
  { session_exercise_ids: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'] },
)
export const replayNotFound = refusal(
  404,
  'replay_not_found',
  'This session run has no replay: it is not ready yet, the camera was off, or the replay was deleted after six months.',
)

export const sessionRunConstraints: Constraints = {
  session_runs_session_fkey: planSessionNotFound,
  session_runs_plan_active_check: planNotActive,
  session_run_events_run_fkey: sessionRunNotFound,
  pain_reports_run_fkey: sessionRunNotFound,
  session_feedback_run_fkey: sessionRunNotFound,
}
