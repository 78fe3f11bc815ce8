import { type Caller, resolveLanguage } from '@tendon/access'
import type { RunPayload } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { withHowTo } from '../treatment-plans/index.ts'
import { sessionRunNotFound } from './errors.ts'
import { findFelt, findPlansOfRuns, findRunToPlay, listExercisesOfRun } from './payload-queries.ts'
import { findConsents, listOutcomes } from './queries.ts'
import { activeSeconds, endedExercises, mayHaveToken } from './rules.ts'
import type { Tokens } from './token.ts'

const NO_TOKEN = { telemetry_token: null, telemetry_token_expires_at: null }

/** Everything that a player needs. Under impersonation there is no token, because it would allow writing. */
export async function readPayload(
  tx: TenantTx,
  runId: string,
  caller: Caller,
  tokenFor: Tokens,
): Promise<Omit<RunPayload, 'telemetry_url'>> {
  const run = await findRunToPlay(tx, runId)
  if (!run) throw sessionRunNotFound()
  const [consents, plans, entries, outcomes, felt] = await Promise.all([
    findConsents(tx, run),
    findPlansOfRuns(tx, [run.id]),
    listExercisesOfRun(tx, run.id),
    listOutcomes(tx, run.id),
    findFelt(tx, run.id),
  ])
  const plan = plans.get(run.id)
  if (!plan) throw new Error('the plan of the run is missing')
  const language = resolveLanguage(caller.preferred_language, run.organization_language)
  const planned = entries.map(({ session_exercise_id: id, ...entry }) => ({ ...entry, id }))
  const configs = new Map(run.items.map(({ media_id, pose_config }) => [media_id, pose_config]))
  const exercises = (await withHowTo(tx, planned, language)).map((exercise) => {
    const pose_config = configs.get(exercise.id) ?? null
    return { ...exercise, tracking_enabled: pose_config !== null, pose_config }
  })
  const ended = endedExercises(outcomes)
  const open = caller.impersonator_id === null && mayHaveToken(run, consents)
  return {
    run_id: run.id,
    status: run.status,
    started_at: run.started_at,
    ended_at: run.ended_at,
    treatment_plan: { id: plan.treatment_plan_id, title: plan.treatment_plan_title },
    session: { id: plan.plan_session_id, title: plan.plan_session_title, notes: plan.plan_session_notes },
    exercises,
    terminated_session_exercise_ids: ended.map(({ id }) => id),
    ended_exercises: ended,
    ...felt,
    active_seconds: activeSeconds(outcomes, run),
    telerehab_consent: consents.telerehab,
    help: run.help,
    ...(open ? await tokenFor(run, caller.principal_id, consents.pose) : NO_TOKEN),
  }
}
