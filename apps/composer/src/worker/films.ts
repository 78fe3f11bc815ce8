import { SYSTEM, systemContext } from '@tendon/access'
import type { CompositionManifest, CompositionSet, NewComposition } from '@tendon/contracts'
import { ApiError } from '@tendon/http'
import { findBundle } from '../features/bundles/queries.ts'
import { composeFrom, requestRender } from '../features/compositions/compose.ts'
import type { AttemptTools } from './attempt.ts'
import { claimDueFilms, type DueFilm, findExercise, setFilm } from './film-queries.ts'
import { setsFor } from './film-rules.ts'

const AT_ONCE = 20
const TAKEN_FOR_MS = 10 * 60 * 1000
const AFTER_QUOTA_MS = 10 * 60 * 1000
/** One for all patients, so that equal prescriptions share a render. */
const SEED = 1

/** Requests a film for each exercise of an active plan that has a bundle. True when there may be more. */
export async function requestFilms(tools: AttemptTools): Promise<boolean> {
  const { db, now, ffmpeg } = tools.services
  if (!ffmpeg) return false
  const again = new Date(now().getTime() + TAKEN_FOR_MS)
  const due = await db.tenant(systemContext(null), (tx) => claimDueFilms(tx, now(), again, AT_ONCE))
  for (const film of due) await requestFilm(tools, film)
  return due.length === AT_ONCE
}

async function requestFilm({ services, auditLog, log }: AttemptTools, film: DueFilm): Promise<void> {
  const { db, now } = services
  const organizationId = film.film_organization_id
  try {
    await db.tenant(systemContext(organizationId), async (tx) => {
      const exercise = await findExercise(tx, film.exercise_id)
      const bundle = exercise && (await findBundle(tx, exercise.id))
      const request = exercise && bundle && requestOf(exercise.slug, bundle.manifest, film)
      if (!exercise || !bundle || !request) return setFilm(tx, film, null, null)
      const composition = await composeFrom(tx, exercise, bundle, request)
      const { id, requested } = await requestRender(tx, organizationId, composition)
      if (requested !== 'known') {
        const target = { type: 'render', id, label: exercise.slug }
        await auditLog.write(tx, { ...SYSTEM, organizationId }, { action: 'renders.request', crud: 'C', target })
      }
      return setFilm(tx, film, id, null)
    })
  } catch (error) {
    if (!(error instanceof ApiError)) {
      log.error({ err: error, session_exercise: film.session_exercise_id }, 'film request failed; it is tried again')
      return
    }
    // Over the quota it is tried again; what the bundle cannot show is played as the exercise's own video.
    const later = error.status === 429 ? new Date(now().getTime() + AFTER_QUOTA_MS) : null
    await db.tenant(systemContext(organizationId), (tx) => setFilm(tx, film, null, later))
  }
}

function requestOf(exercise: string, manifest: CompositionManifest, film: DueFilm): NewComposition | undefined {
  const sets: CompositionSet[] | undefined = setsFor(manifest, film)
  const language = manifest.languages.includes(film.language) ? film.language : manifest.languages[0]
  return sets && language !== undefined ? { exercise, language, sets, seed: SEED } : undefined
}
