import type { CompositionPreview, NewComposition, RenderStatus } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import { COMPOSITION_MAX_SECONDS, FRAMES_PER_SECOND, PROFILE_VERSION } from '../../rendering/profile.ts'
import {
  type BundleExercise,
  findBundle,
  findExerciseBySlug,
  listBundleFiles,
  type StoredBundle,
  type StoredFile,
} from '../bundles/queries.ts'
import { countRenders, findRenderId, insertRender, lockRequests, restartRender } from '../renders/queries.ts'
import { compositionTooLong, manifestNotFound, notComposable, renderQuotaReached, variantsMissing } from './errors.ts'
import { fingerprintOf, requestProblems } from './request-rules.ts'
import { buildTimeline, type Timeline } from './timeline-rules.ts'

const MAX_WAITING_RENDERS = 20
const MAX_RENDERS_PER_DAY = 200

export interface Composition {
  exercise: BundleExercise
  bundle: StoredBundle
  files: ReadonlyMap<string, StoredFile>
  timeline: Timeline
  request: NewComposition
}

/** Finds what the composition is made of. Refuses a request that does not fit the manifest. */
export async function readComposition(tx: TenantTx, request: NewComposition): Promise<Composition> {
  const exercise = await findExerciseBySlug(tx, request.exercise)
  const bundle = exercise && (await findBundle(tx, exercise.id))
  if (!exercise || !bundle) throw manifestNotFound()
  return composeFrom(tx, exercise, bundle, request)
}

export async function composeFrom(
  tx: TenantTx,
  exercise: BundleExercise,
  bundle: StoredBundle,
  request: NewComposition,
): Promise<Composition> {
  const { manifest } = bundle
  // The kind of an exercise can change after its bundle was saved.
  for (const { kind } of [manifest, exercise]) if (kind !== 'reps_based') throw notComposable({ kind })
  const { language, sets, seed } = request
  const fields = requestProblems(manifest, language, sets)
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
  const files = new Map((await listBundleFiles(tx, exercise.id, bundle.asset_version)).map((file) => [file.name, file]))
  const timeline = buildTimeline({ manifest, names: [...files.keys()], language, sets, seed })
  return { exercise, bundle, files, timeline, request }
}

const framesOf = (file: StoredFile | undefined) => Math.round((file?.seconds ?? 0) * FRAMES_PER_SECOND)

/** The timeline with times, as the clips were measured when they were uploaded. */
export function preview({ exercise, bundle, files, timeline }: Composition): CompositionPreview {
  let frames = 0
  const items = timeline.items.map(({ slot, variant, video }) => {
    const length = framesOf(files.get(video))
    const start = frames
    frames += length
    return {
      slot,
      variant,
      file: video,
      start_seconds: start / FRAMES_PER_SECOND,
      duration_seconds: length / FRAMES_PER_SECOND,
    }
  })
  return {
    exercise: exercise.slug,
    asset_version: bundle.asset_version,
    duration_seconds: frames / FRAMES_PER_SECOND,
    missing: timeline.missing,
    items,
  }
}

const isWanted = ({ status }: { status: RenderStatus }) => status !== 'failed' && status !== 'cancelled'

export type Requested = 'new' | 'restarted' | 'known'

/** The render of this composition: the one that exists, or a new one within the quotas. */
export async function requestRender(
  tx: TenantTx,
  organizationId: string,
  composition: Composition,
): Promise<{ id: string; requested: Requested }> {
  const { exercise, bundle, timeline, request } = composition
  if (timeline.missing.length > 0) throw variantsMissing({ missing: timeline.missing })
  const { duration_seconds } = preview(composition)
  if (duration_seconds > COMPOSITION_MAX_SECONDS)
    throw compositionTooLong({ duration_seconds, max_seconds: COMPOSITION_MAX_SECONDS })
  const { language, sets, seed } = request
  const facts = { exerciseId: exercise.id, assetVersion: bundle.asset_version, language, sets, seed }
  const fingerprint = fingerprintOf({ ...facts, organizationId, profileVersion: PROFILE_VERSION })
  // Repeats of a request do not wait for each other.
  const first = await findRenderId(tx, fingerprint)
  if (first && isWanted(first)) return { id: first.id, requested: 'known' }
  await lockRequests(tx)
  const known = await findRenderId(tx, fingerprint)
  if (known && isWanted(known)) return { id: known.id, requested: 'known' }
  const { waiting, today } = await countRenders(tx)
  if (waiting >= MAX_WAITING_RENDERS)
    throw renderQuotaReached({ count: waiting, what: 'waiting', max: MAX_WAITING_RENDERS }, { 'retry-after': '60' })
  if (today >= MAX_RENDERS_PER_DAY)
    throw renderQuotaReached({ count: today, what: 'today', max: MAX_RENDERS_PER_DAY }, { 'retry-after': '3600' })
  if (known) {
    await restartRender(tx, known.id)
    return { id: known.id, requested: 'restarted' }
  }
  return { id: await insertRender(tx, { ...facts, manifest: bundle.manifest, fingerprint }), requested: 'new' }
}
