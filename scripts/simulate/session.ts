// A session as a patient might do it: planned in advance, second by second, from random numbers only. `npm run
// simulate` plays such sessions, and the history of the demo clinic consists of them.
import type { NewExerciseEvent, NewPainReport, NewSessionFeedback } from '@tendon/contracts'
import { type Camera, type Performed, perform } from '@tendon/pose'
import { between, configOf, type PlannedExercise, pick, type Random, setOf, standing, whole } from './movement.ts'
import { type MediaAct, play, type Stretch } from './playback.ts'

export interface Person {
  /** null: not filmed. */
  camera: Camera | null
  /** From 0, the first day, to 1: how well it goes, how little it hurts. */
  progress: number
}

interface ExerciseAct extends Pick<NewExerciseEvent, 'session_exercise_id' | 'type' | 'data'> {
  kind: 'exercise'
  at_ms: number
}

interface PainAct extends Pick<NewPainReport, 'severity' | 'action'> {
  kind: 'pain'
  at_ms: number
  session_exercise_id: string
  note: string | null
}

export type Act = MediaAct | ExerciseAct | PainAct

/** A filmed part of the session with a known number of repetitions. */
export interface Film {
  media_id: string
  performed: Performed
  camera: Camera
  seed: number
}

/** `pain`: a pain report ended the run. */
export type Ending = 'completed' | 'left' | 'pain'

export interface Session {
  /** In order of time, in milliseconds since the session started. */
  acts: Act[]
  films: Film[]
  end_ms: number
  ending: Ending
  feedback: NewSessionFeedback | null
}

const SKIPS = 0.04
const LEAVES = 0.012
const ONE_LESS_CHANCE = 0.15
const POOR_VIEW_CHANCE = 0.05
const POOR_VIEW_VISIBILITY = 0.3
const HURTS = 0.06
const FEEDBACK_CHANCE = 0.85
const NOTES = ['Înțepătură la genunchi.', 'Trage puțin la final.', 'Ca ieri.', null, null] as const
const COMMENTS = ['A mers bine.', 'Mai greu azi.', 'Obosit, dar am terminat.', null, null, null] as const

export function rehearse(exercises: readonly PlannedExercise[], person: Person, random: Random): Session {
  const acts: Act[] = []
  const films: Film[] = []
  let [now, worst, position_seconds] = [0, 0, 0]
  let media_id = ''
  let ending: Ending = 'completed'
  for (const exercise of exercises) {
    const done = doExercise(exercise, now, person, random)
    acts.push(...done.acts)
    films.push(...done.films)
    media_id = exercise.id
    worst = Math.max(worst, done.pain)
    ;({ end_ms: now, position_seconds } = done)
    ending = done.ending ?? 'completed'
    if (done.ending) break
  }
  const end_ms = now + 1
  const reason = ending === 'completed' ? 'completed' : 'user_exit'
  const data = { reason, position_seconds, watched_seconds: position_seconds }
  acts.push({ kind: 'media', at_ms: end_ms, event: 'session_end', media_id, data })
  const feedback =
    random() < FEEDBACK_CHANCE
      ? {
          perceived_exertion: Math.round(between(random, 4, 8) - 2 * person.progress),
          pain: worst,
          comment: pick(random, COMMENTS) ?? null,
        }
      : null
  return { acts, films, end_ms, ending, feedback }
}

function doExercise(exercise: PlannedExercise, start: number, { camera, progress }: Person, random: Random) {
  const session_exercise_id = exercise.id
  const config = configOf(exercise)
  const isSeen = random() >= POOR_VIEW_CHANCE
  const filmedBy = config && camera && (isSeen ? camera : { ...camera, visibility: POOR_VIEW_VISIBILITY })
  const set = setOf(exercise, config, progress, random)
  const acts: Act[] = []
  const films: Film[] = []
  const pauses: Stretch[] = []
  let [now, repetitions, pain] = [start, 0, 0]

  const shoot = (performed: Performed): void => {
    if (filmedBy)
      films.push({
        media_id: exercise.id,
        performed,
        camera: { ...filmedBy, starts_ms: now },
        seed: whole(random, 0, 2 ** 31),
      })
    now += Math.ceil(performed.seconds * 1000 + (filmedBy ? 1000 / filmedBy.frames_per_second : 0))
    repetitions += performed.repetitions.length
  }
  const stand = (seconds: number) => shoot(perform(standing(set, seconds), random))
  const record = (type: ExerciseAct['type'], data?: ExerciseAct['data']) =>
    acts.push({ kind: 'exercise', at_ms: now, session_exercise_id, type, ...(data ? { data } : {}) })
  const total_seconds = Math.round(exercise.sets * perform(set, () => 0.5).seconds)
  const end = (ending?: Ending) => {
    const played = play({ media_id: exercise.id, from_ms: start, to_ms: now, total_seconds, pauses }, random)
    const all = [...acts, ...played.acts].sort((a, b) => a.at_ms - b.at_ms)
    now += 1
    return { acts: all, films, end_ms: now, position_seconds: played.position_seconds, pain, ending }
  }

  record('started')
  if (random() < SKIPS) {
    stand(between(random, 6, 15))
    record('skipped')
    return end()
  }
  for (let done = 1; done <= exercise.sets; done += 1) {
    const fewer = set.repetitions > 3 && random() < ONE_LESS_CHANCE ? 1 : 0
    shoot(perform({ ...set, repetitions: set.repetitions - fewer }, random))
    if (random() < HURTS * (1.2 - progress)) {
      const severity = whole(random, 1, Math.round(9 - 5 * progress))
      pain = Math.max(pain, severity)
      const action = actionFor(severity)
      if (action === 'rest') record('paused_for_pain')
      const note = pick(random, NOTES) ?? null
      acts.push({ kind: 'pain', at_ms: now, session_exercise_id, severity, action, note })
      if (action === 'skip_exercise') return end()
      if (action === 'end_session') return end('pain')
      if (action === 'rest') {
        const from_ms = now
        stand(between(random, 20, 45))
        pauses.push({ from_ms, to_ms: now })
      }
    }
    if (random() < LEAVES) return end('left')
  }
  record('completed', {
    sets_completed: exercise.sets,
    repetitions_completed: repetitions,
    duration_seconds: Math.round(now - start) / 1000,
  })
  return end()
}

function actionFor(severity: number): PainAct['action'] {
  if (severity <= 3) return 'continue'
  if (severity <= 6) return 'rest'
  return severity <= 7 ? 'skip_exercise' : 'end_session'
}
