import type { PlannedExercise } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { findSession, type StoredSession } from '../programs/index.ts'
import { findExercisesInForce, findSessionRow, type PoseConfigInForce, type SessionRow } from './session-queries.ts'

type PlannedSessionExercise = Omit<StoredSession['exercises'][number], 'override_reason' | 'safety'> &
  Pick<PlannedExercise, 'name' | 'slug' | 'kind'> & {
    /** The current version; null if the exercise is not tracked. */
    pose_config: PoseConfigInForce | null
  }

export interface PlannedSession extends SessionRow {
  title: string
  notes: string | null
  exercises: PlannedSessionExercise[]
}

/**
 * A session of a treatment plan, with its exercises in order, for callers who can see the plan: staff of the clinic, or the
 * patient whose plan it is (never of a draft). A session that was taken out is not found.
 */
export async function findPlanSession(tx: TenantTx, planSessionId: string): Promise<PlannedSession | undefined> {
  const [row, session] = await Promise.all([findSessionRow(tx, planSessionId), findSession(tx, planSessionId)])
  if (!row || !session) return undefined
  const inForce = await findExercisesInForce(
    tx,
    session.exercises.map(({ id }) => id),
  )
  const exercises = session.exercises.map(({ override_reason: _reason, safety: _found, ...entry }) => {
    const exercise = inForce.get(entry.id)
    if (!exercise) throw new Error(`the exercise of ${entry.id} is missing`)
    return { ...entry, ...exercise }
  })
  return { ...row, title: session.title, notes: session.notes, exercises }
}
