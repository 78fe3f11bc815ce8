// Checks that the patient and the clinic can read everything that was acknowledged.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { MyRunSummary, RunAnalytics } from '@tendon/contracts'
import { reduceMedia } from '../../apps/telemetry/src/media/reducer.ts'
import type { Api } from '../start/api.ts'
import type { LivedRun, World } from './live.ts'
import { countIn } from './tally.ts'

const WAIT_MS = 60_000
const POLL_INTERVAL_MS = { first: 250, last: 4_000 }

/** Counts measurements, and missing data as problems. */
export async function checkRun(world: World, run: LivedRun): Promise<void> {
  const { api, staff, tally } = world
  const complain = (what: string) => tally.problems.push(`run ${run.id}: ${what}`)
  const expect = (what: string, found: unknown, wanted: unknown) => {
    if (!isDeepStrictEqual(found, wanted))
      complain(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
  }
  const analytics = await readWritten(api, staff, run)
  if (!analytics) return void complain('its end was acknowledged, but what was measured of it cannot be read')
  const mine: MyRunSummary[] = await api.get('/v1/me/session-runs?limit=100', run.patient.email)
  const own = mine.find(({ id }) => id === run.id)
  if (!own) return void complain('the patient does not see it')

  const { session } = run
  for (const [reader, found] of [['the patient', own] as const, ['the clinic', analytics] as const]) {
    expect(`${reader}: status`, found.status, session.ending === 'completed' ? 'ended_naturally' : 'ended_explicit')
    expect(`${reader}: exercises`, found.exercises, outcomesOf(run))
    expect(`${reader}: pain reports`, found.pain.reports, run.painReports)
    expect(`${reader}: feedback`, feedbackIn(found), session.feedback)
    expect(`${reader}: player`, found.media, playerOf(run))
  }
  const stored = new Set(
    analytics.exercise_results.flatMap(({ events }) => events.map((event) => event.client_event_id)),
  )
  expect(
    'exercise events',
    run.clientEventIds.filter((id) => !stored.has(id)),
    [],
  )
  expect('replay available', analytics.replay_available, run.frames + run.framesUnsure > 0)
  if (run.frames > 0) {
    const { frame_count } = await api.get(`/v1/session-runs/${run.id}/replay`, staff)
    if (frame_count < run.frames || frame_count > run.frames + run.framesUnsure)
      complain(`the replay has ${frame_count} frames, not ${run.frames}`)
  }
  compare(world, run, analytics)
}

/** Waits until the telemetry service has written the run. */
async function readWritten(api: Api, staff: string, run: LivedRun): Promise<RunAnalytics | undefined> {
  const deadline = Date.now() + WAIT_MS
  for (let wait = POLL_INTERVAL_MS.first; Date.now() < deadline; wait = Math.min(2 * wait, POLL_INTERVAL_MS.last)) {
    const analytics: RunAnalytics = await api.get(`/v1/session-runs/${run.id}/analytics`, staff)
    if (analytics.media !== null) return analytics
    await sleep(wait)
  }
  return undefined
}

function outcomesOf({ session, exercises }: LivedRun): MyRunSummary['exercises'] {
  const count = (isIt: (act: LivedRun['session']['acts'][number]) => boolean) => session.acts.filter(isIt).length
  const completed = count((act) => act.kind === 'exercise' && act.type === 'completed')
  const skipped = count(
    (act) =>
      (act.kind === 'exercise' && act.type === 'skipped') || (act.kind === 'pain' && act.action === 'skip_exercise'),
  )
  const total = exercises.length
  return { total, completed, skipped, abandoned: total - completed - skipped }
}

const feedbackIn = ({ feedback }: Pick<MyRunSummary, 'feedback'>) =>
  feedback && { perceived_exertion: feedback.perceived_exertion, pain: feedback.pain, comment: feedback.comment }

/** A digest of all acknowledged events: one missing event changes it. */
function playerOf({ media }: LivedRun): MyRunSummary['media'] {
  const { run } = reduceMedia(media)
  if (!run) return null
  const { events: _, dropped_frames: __, total_frames: ___, started_at, ended_at, ...numbers } = run
  const times = { started_at: new Date(started_at).toISOString(), ended_at: new Date(ended_at).toISOString() }
  return { ...numbers, ...times, is_complete: true }
}

/** Compares the measurement with the truth, for exercises of which every frame arrived. */
function compare({ tally }: World, run: LivedRun, { exercise_results }: RunAnalytics): void {
  const done = new Map<string, number>()
  for (const { media_id, performed } of run.session.films)
    done.set(media_id, (done.get(media_id) ?? 0) + performed.repetitions.length)
  for (const { session_exercise_id, pose } of exercise_results) {
    const truth = done.get(session_exercise_id)
    if (truth === undefined || run.shed.has(session_exercise_id) || !pose) continue
    if (pose.repetitions === null) {
      countIn(tally.exercises.notMeasured, pose.reason ?? 'without a reason')
      continue
    }
    tally.exercises[pose.repetitions === truth ? 'exact' : 'off'] += 1
    tally.repetitions.done += truth
    tally.repetitions.measured += pose.repetitions
  }
}
