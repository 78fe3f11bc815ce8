import type { LibraryView, MediaEvent } from '@tendon/contracts'
import type { Context, Database, TenantTx } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import { timeOf } from '../log/ids.ts'
import type { RunLog } from '../log/run-log.ts'
import { reduceMedia } from '../media/reducer.ts'
import { decodeEvent, decodeView } from '../runs/payloads.ts'
import type { Seal, Take } from '../runs/take.ts'
import { flushTake, ManifestGone } from './flush.ts'
import type { StartPoseWork } from './pose-work.ts'
import {
  type Claim,
  claimTake,
  deleteBlob,
  findManifest,
  listSupersededBlobs,
  type ManifestRow,
  renewClaim,
} from './queries.ts'
import { EventsGone } from './refusal.ts'
import { type Replay, storeReplay } from './replay.ts'

// Finalise: a closed take becomes rows and a replay. Every step can be repeated, and a crash between any two of them repeats
// them to the same result:
//
//   mark     the record that closes the take is in the log (before this is called)
//   claim    a row in the database gives the take its version in the run, and says which version it begins with
//   blob     the replay lies in the object store, under a key of that version
//   rows     one transaction writes all rows of the run, keyed by it, and marks the claim; should another take of the run
//            have been written since the claim, all is begun again
//   clean    the replay of the version before is deleted, then the row that named it
//   finish   the log is told; it then drops what nobody needs

export const STEPS = ['claim', 'blob', 'rows', 'clean', 'finish'] as const
export type Step = (typeof STEPS)[number]

export type FinaliseDiscard = 'take_without_manifest' | 'take_after_end'

export interface FinaliseOptions {
  log: RunLog
  db: Pick<Database, 'tenant'>
  objects: ObjectStore
  startPoseWork: StartPoseWork
  now: () => number
  onDiscard: (name: FinaliseDiscard) => void
  /** So many records of a take that was written could not be read. */
  onUnreadable: (take: Take, records: number) => void
  /** After each step: where tests pull the plug. */
  afterStep?: (step: Step) => void
}

export async function finalise(options: FinaliseOptions, take: Take): Promise<void> {
  const { log, now, afterStep = () => {} } = options
  const seal = take.sealed ?? 'silence'
  const tenant = <Result>(work: (tx: TenantTx) => Promise<Result>) =>
    options.db.tenant(contextOf(take.organizationId), work, { long: true })

  const claimed = await claim(options, take, seal, tenant)
  afterStep('claim')
  if (!claimed) await forget(options, take)
  else if (!claimed.is_flushed && claimed.is_late) await dropLate(options, take, claimed)
  else if (!claimed.is_flushed) await write(options, take, seal, claimed, tenant)
  await clean(options, take, tenant)
  afterStep('clean')
  await log.finish(take.origin, now(), seal === 'ended')
  afterStep('finish')
}

type Claimed = Claim & { manifest: ManifestRow }

type Tenant = <Result>(work: (tx: TenantTx) => Promise<Result>) => Promise<Result>

/** Should another take have been written since, the replay of an earlier try lacks it: it goes, and then its version. */
async function claim({ objects }: FinaliseOptions, take: Take, seal: Seal, tenant: Tenant) {
  const claimed = await tenant((tx) => claimNow(tx, take, seal))
  if (!claimed?.is_outdated || claimed.is_flushed || claimed.is_late) return claimed
  await objects.delete(keyOf(take, claimed.version))
  return tenant(async (tx) => {
    await renewClaim(tx, { runId: take.runId, takeId: take.id })
    return claimNow(tx, take, seal)
  })
}

async function claimNow(tx: TenantTx, take: Take, seal: Seal): Promise<Claimed | undefined> {
  const { runId, id, origin, lastAt } = take
  const manifest = await findManifest(tx, runId)
  if (!manifest) return undefined
  const beganAt = timeOf(origin.take)
  const claim = await claimTake(tx, {
    runId,
    takeId: id,
    profileId: manifest.patient_profile_id,
    reason: seal,
    beganAt: new Date(beganAt),
    endedAt: seal === 'ended' ? new Date(Math.max(beganAt, lastAt)) : null,
  })
  return { ...claim, manifest }
}

async function write(options: FinaliseOptions, take: Take, seal: Seal, claimed: Claimed, tenant: Tenant) {
  const { log, objects, startPoseWork, afterStep = () => {} } = options
  const { manifest, version, base_version, base_events, base_replay } = claimed
  if (base_version > 0 && !base_events) throw new EventsGone('The run was written too long ago to be added to.')
  const { events, views, ...control } = await readControl(log, take, base_events ?? [])
  const media = reduceMedia(events)
  const exercises = manifest.items.map(({ media_id, pose_config = null }) => ({ media_id, pose_config }))
  const key = keyOf(take, version)
  const source = { log, objects, take, base: base_replay, isFirst: claimed.is_first }
  const posed =
    take.frames > 0 || base_replay
      ? await storeReplay(source, key, () => startPoseWork({ spans: media.spans, exercises }))
      : undefined
  const unreadable = control.unreadable + (posed?.replay.unreadable ?? 0)
  if (posed?.replay.batches === 0) await objects.delete(key) // not one could be read
  afterStep('blob')
  try {
    await tenant((tx) =>
      flushTake(tx, {
        runId: take.runId,
        takeId: take.id,
        profileId: manifest.patient_profile_id,
        version,
        baseVersion: base_version,
        hasEnded: seal === 'ended' || claimed.has_ended,
        isDamaged: unreadable > 0 || take.damaged || claimed.base_damaged,
        media,
        views,
        events,
        pose: posed?.metrics,
        exerciseIds: new Map(manifest.items.map(({ media_id, exercise_id = null }) => [media_id, exercise_id])),
        replay: replayRow(posed?.replay, key),
      }),
    )
    if (unreadable > 0) options.onUnreadable(take, unreadable)
  } catch (error) {
    if (!isManifestGone(error)) throw error
    await forget(options, take)
  }
  afterStep('rows')
}

const folderOf = ({ organizationId, runId }: Take): string => `replays/${organizationId}/${runId}/`

const keyOf = (take: Take, version: number): string => `${folderOf(take)}v${version}-${take.id}.gz`

/** The patient was erased: nothing of the run is stored, and what an earlier try has stored goes. */
async function forget({ objects, onDiscard }: FinaliseOptions, take: Take): Promise<void> {
  for await (const key of objects.list(folderOf(take))) await objects.delete(key)
  onDiscard('take_without_manifest')
}

/** It began after the end: what an earlier try has stored of it, when the end was not yet written, goes. */
async function dropLate({ objects, onDiscard }: FinaliseOptions, take: Take, { version }: Claim): Promise<void> {
  await objects.delete(keyOf(take, version))
  onDiscard('take_after_end')
}

const replayRow = (replay: Replay | undefined, key: string) =>
  replay && replay.batches > 0 ? { ...replay, key } : undefined

/** The media events of the run up to now, and the views of this take. */
async function readControl(log: RunLog, take: Take, earlier: readonly MediaEvent[]) {
  const events = [...earlier]
  const views: LibraryView[] = []
  let unreadable = 0
  for await (const record of log.read('control', take.id)) {
    const event = record?.kind === 'event' ? decodeEvent(record.payload) : undefined
    const view = record?.kind === 'view' ? decodeView(record.payload) : undefined
    if (event) events.push(event)
    else if (view) views.push(view)
    else if (!record || record.kind === 'event' || record.kind === 'view') unreadable += 1
  }
  return { events, views, unreadable }
}

/** Replays that were replaced: first the object, then the row that names it. */
async function clean({ objects }: FinaliseOptions, { runId }: Take, tenant: Tenant): Promise<void> {
  for (const key of await tenant((tx) => listSupersededBlobs(tx, runId))) {
    await objects.delete(key)
    await tenant((tx) => deleteBlob(tx, key))
  }
}

/** The service's own work inside one organization. */
const contextOf = (organizationId: string): Context => ({ principalId: null, organizationId, permissions: '*' })

const isManifestGone = (error: unknown): boolean => {
  if (error instanceof ManifestGone) return true
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23503' && (constraint?.endsWith('_run_fkey') ?? false)
}
