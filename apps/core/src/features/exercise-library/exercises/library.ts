import type { Exercise, ExerciseStatus } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recorder } from '../../../platform/recorder.ts'
import { takeFile, takePlatformFile, type Upload, type UploadRules } from '../../../platform/uploads.ts'
import type { Services } from '../../../services.ts'
import { exerciseNotFound, invalidTransition, notPublishable, platformExercise } from './errors.ts'
import type { LibraryTx } from './parts-queries.ts'
import { type ExerciseRow, findExercise, findExerciseRow, findExerciseRowForUpdate } from './queries.ts'
import { canBecome, missingForPublication } from './rules.ts'
import { listUnusableTags, type NamedTag } from './tag-queries.ts'

// How every route of the exercise library works: where its transaction runs, which exercise it may touch, what it leaves
// behind.

type Work<Result> = (tx: TenantTx | PlatformTx) => Promise<Result>

/** A superadmin can open each exercise by id, of any clinic; everybody else works in their own clinic. */
export const inLibrary = <Result>(request: FastifyRequest, work: Work<Result>): Promise<Result> =>
  request.caller.is_superadmin ? request.platform(work) : request.tenant(work)

/** Like `inLibrary`, for a POST that creates. */
export const createInLibrary = <Body>(request: FastifyRequest, reply: FastifyReply, work: Work<Body>): Promise<Body> =>
  request.caller.is_superadmin ? request.platformCreate(reply, work) : request.tenantCreate(reply, work)

/** Like `inLibrary`, with the file of the request. */
export const takeIntoLibrary = <Result>(
  request: FastifyRequest,
  services: Services,
  rules: UploadRules,
  keep: (tx: LibraryTx, file: Upload) => Promise<Result>,
): Promise<Result> =>
  request.caller.is_superadmin
    ? takePlatformFile(request, services, rules, keep)
    : takeFile(request, services, rules, keep)

export async function readExercise(tx: LibraryTx, id: string): Promise<ExerciseRow> {
  const exercise = await findExerciseRow(tx, id)
  if (!exercise) throw exerciseNotFound()
  return exercise
}

/** Locks it until the end of the transaction. The clinic sees the platform's exercises, so it learns that they are not its own. */
export async function openExercise(tx: LibraryTx, id: string): Promise<ExerciseRow> {
  const exercise = await findExerciseRowForUpdate(tx, id)
  if (exercise) return exercise
  throw (await findExerciseRow(tx, id)) ? platformExercise() : exerciseNotFound()
}

/** With everything that belongs to it. */
export async function readWholeExercise(tx: LibraryTx, id: string): Promise<Exercise> {
  const exercise = await findExercise(tx, id)
  if (!exercise) throw exerciseNotFound()
  return exercise
}

/** Refuses a status that the exercise cannot take. */
export function checkMove(
  { name, status }: Pick<Exercise, 'name' | 'status'>,
  to: ExerciseStatus,
  instructions: number,
) {
  if (!canBecome(status, to)) throw invalidTransition({ from: status, to })
  const missing = to === 'published' ? missingForPublication({ name, instructions }) : []
  if (missing.length > 0) throw notPublishable({ missing })
}

/** In the log and among the events of the exercise's owner, also when a superadmin does it. */
export const exerciseResource = {
  target: ({ id, name }: RecordedExercise) => ({ type: 'exercise', id, label: name }),
  payload: ({ id }: RecordedExercise) => ({ exercise_id: id }),
  organizationId: ({ organization_id }: RecordedExercise) => organization_id,
}

type RecordedExercise = Pick<ExerciseRow, 'id' | 'name' | 'organization_id'>

export const record = recorder({
  ...exerciseResource,
  acts: {
    created: { action: 'exercises.create', crud: 'C', event: 'exercise.created' },
    cloned: { action: 'exercises.clone', crud: 'C', event: 'exercise.created' },
    updated: { action: 'exercises.update', crud: 'U', event: 'exercise.updated' },
    statusChanged: { action: 'exercises.change_status', crud: 'U', event: 'exercise.status_changed' },
    deleted: { action: 'exercises.delete', crud: 'D', event: 'exercise.deleted' },
    restored: { action: 'exercises.restore', crud: 'U', event: 'exercise.restored' },
  },
})

const PROBLEMS = {
  unknown: 'must be ids of values of the right axis, of the platform or of the clinic',
  deprecated: 'is a deprecated value: choose its replacement',
}

/** Refuses values that the exercise cannot be given, each under the field that names it. */
export async function checkTags(
  tx: LibraryTx,
  exercise: { id: string | null; organization_id: string | null },
  tags: NamedTag[],
  fieldOf: (axis: NamedTag['axis']) => string,
): Promise<void> {
  if (tags.length === 0) return
  const unusable = await listUnusableTags(tx, exercise, tags)
  const fields: Record<string, string> = {}
  for (const { axis, problem } of unusable) fields[fieldOf(axis)] ??= PROBLEMS[problem]
  if (unusable.length > 0) throw validationFailed({ fields })
}
