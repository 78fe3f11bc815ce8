import type { Language } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { renderPlayback } from '@tendon/video-host'
import { findExerciseTexts, listReadyFilms, type ReadyFilm } from './my-queries.ts'
import { translated } from './rules.ts'

/** Entries of sessions, each with how to do its exercise, in the language: what a patient gets to see. */
export async function withHowTo<Entry extends { id: string; exercise_id: string }>(
  tx: TenantTx,
  entries: readonly Entry[],
  language: Language,
) {
  const ids = entries.map(({ id }) => id)
  const [{ exercises, instructions }, ready] = await Promise.all([findExerciseTexts(tx, ids), listReadyFilms(tx, ids)])
  const films = new Map(ready.map((film) => [film.session_exercise_id, filmOf(film)]))
  return entries.map((entry) => {
    const texts = exercises.get(entry.id)
    if (!texts) throw new Error(`the exercise of ${entry.id} is missing`)
    const steps = instructions.get(entry.exercise_id) ?? []
    return {
      ...entry,
      ...translated(texts, language),
      ...films.get(entry.id),
      instructions: steps.map((step) => translated(step, language)),
    }
  })
}

/** The film composed for the prescription, in place of the exercise's own video. */
function filmOf({ host_provider, host_reference, duration_seconds }: ReadyFilm) {
  const playback = renderPlayback(host_provider, host_reference)
  return playback === undefined
    ? {}
    : {
        video_url: playback.playlist,
        video_provider: host_provider,
        video_thumbnail_url: playback.poster,
        video_duration_seconds: duration_seconds,
      }
}
