import type { TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import { lockExercises } from './tree-queries.ts'
import {
  exerciseIdsOf,
  problemsOfExercises,
  problemsOfIds,
  type SentSession,
  type StoredSession,
  type WantedSession,
  wantedSessions,
} from './tree-rules.ts'

/** What is sent, when it can take the place of what is there. Its exercises stay as they are until the transaction ends. */
export async function acceptSessions(
  tx: TenantTx,
  before: readonly StoredSession[],
  sent: readonly SentSession[],
): Promise<WantedSession[]> {
  const wanted = wantedSessions(sent)
  const published = await lockExercises(tx, exerciseIdsOf(wanted))
  const fields = { ...problemsOfIds(before, wanted), ...problemsOfExercises(wanted, published) }
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
  return wanted
}
