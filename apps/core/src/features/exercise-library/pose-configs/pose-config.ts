import { isUuid, type NewPoseConfig } from '@tendon/contracts'
import { fieldsOf, validationFailed } from '@tendon/http'
import { type PoseConfig, parsePoseConfig } from '@tendon/pose'
import type { FastifyRequest } from 'fastify'
import {
  type ExerciseRow,
  exerciseNotFound,
  findExerciseRow,
  findExerciseRowBySlug,
  type LibraryTx,
} from '../exercises/index.ts'

const MAX_REPORTED_PROBLEMS = 100

/** By slug, of which the clinic's own wins over the platform's; or by id. */
export async function readBySlugOrId(tx: LibraryTx, slugOrId: string): Promise<ExerciseRow> {
  const byId = isUuid(slugOrId) ? await findExerciseRow(tx, slugOrId) : undefined
  const exercise = byId ?? (await findExerciseRowBySlug(tx, slugOrId))
  if (!exercise) throw exerciseNotFound()
  return exercise
}

/**
 * The body with its configuration checked. The route leaves the findings of its contract to the handler
 * (`attachValidation`), so that all problems are reported together.
 */
export function readNewVersion(request: FastifyRequest<{ Body: NewPoseConfig }>) {
  const { validationError: found, body } = request
  if (found && found.validationContext !== 'body') throw found
  const parsed = parsePoseConfig(body?.config)
  const fields = {
    ...('fields' in parsed ? underConfig(parsed.fields) : {}),
    ...fieldsOf(found?.validation ?? []),
  }
  if (found || 'fields' in parsed) throw validationFailed({ fields: firstOf(fields) })
  const { config }: { config: PoseConfig } = parsed
  return { ...body, config, engine_code: config.engine_code }
}

const underConfig = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([path, why]) => [path === 'config' ? path : `config.${path}`, why]))

const firstOf = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).slice(0, MAX_REPORTED_PROBLEMS))
