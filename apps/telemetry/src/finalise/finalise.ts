import type { LibraryView, MediaEvent } from '@tendon/contracts'
import type { Context, Database, TenantTx } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import { findWithdrawals } from '../consent/queries.ts'
import { isCameraWithdrawn, isRunWithdrawn, type Withdrawal, withdrawalOfRun } from '../consent/withdrawn.ts'
import { timeOf } from '../log/ids.ts'
import type { RunLog } from '../log/run-log.ts'
import { reduceMedia } from '../media/reducer.ts'
import { decodeEvent, decodeView } from '../runs/payloads.ts'
import type { Recording, Seal } from '../runs/recording.ts'
import { flushRecording, ManifestGone } from './flush.ts'
import type { StartPoseWork } from './pose-work.ts'
import {
  type Claim,
  claimRecording,
  deleteBlob,
  findManifest,
  listSupersededBlobs,
  type ManifestRow,
  renewClaim,
} from './queries.ts'
import { EventsGone } from './refusal.ts'
import { type Replay, storeReplay } from './replay.ts'

// Finalise turns a closed recording into rows and a replay. Every step can be repeated, and a crash between two steps
// leads to the same result:
//
//   mark     the closing record of the recording is in the log (before this is called)
//   claim    a row in the database assigns the recording its version in the run, and the version it builds on
//   blob     the replay is in the object store, under a key of that version
//   rows     one transaction writes all rows of the run and marks the claim; if another recording of the run was
//            written since the claim, everything starts again
//   clean    the replay of the previous version is deleted, then its row
//   finish   the log releases the recording and can drop its segments

export const STEPS = ['claim', 'blob', 'rows', 'clean', 'finish'] as const
export type Step = (typeof STEPS)[number]

type FinaliseDiscard = 'recording_without_manifest' | 'recording_after_end'

export interface FinaliseOptions {
  log: RunLog
  db: Pick<Database, 'tenant'>
  objects: ObjectStore
  startPoseWork: StartPoseWork
  now: () => number
  onDiscard: (name: FinaliseDiscard) => void
  /** Number of records of the recording that could not be read. */
  onUnreadable: (recording: Recording, records: number) => void
  /** Called after each step; tests simulate crashes here. */
  afterStep?: (step: Step) => void
}

export async function finalise(options: FinaliseOptions, recording: Recording): Promise<void> {
  const { log, now, afterStep = () => {} } = options
  const seal = recording.sealed ?? 'silence'
  const tenant = <Result>(work: (tx: TenantTx) => Promise<Result>) =>
    options.db.tenant(contextOf(recording.organizationId), work, { long: true })

  const claimed = await claim(options, recording, seal, tenant)
  afterStep('claim')
  if (!claimed) await forget(options, recording)
  else if (!claimed.is_flushed && claimed.is_late) await dropLate(options, recording, claimed)
  else if (!claimed.is_flushed) await write(options, recording, seal, claimed, tenant)
  await clean(options, recording, tenant)
  afterStep('clean')
  await log.finish(recording.origin, now(), seal === 'ended')
  afterStep('finish')
}

type Claimed = Claim & { manifest: ManifestRow; withdrawals: readonly Withdrawal[] }

type Tenant = <Result>(work: (tx: TenantTx) => Promise<Result>) => Promise<Result>

/**
 * If another recording was written since the claim, the replay of an earlier attempt is incomplete: delete it and
 * claim a new version.
 */
async function claim({ objects }: FinaliseOptions, recording: Recording, seal: Seal, tenant: Tenant) {
  const claimed = await tenant((tx) => claimNow(tx, recording, seal))
  if (!claimed?.is_outdated || claimed.is_flushed || claimed.is_late) return claimed
  await objects.delete(keyOf(recording, claimed.version))
  return tenant(async (tx) => {
    await renewClaim(tx, { runId: recording.runId, recordingId: recording.id })
    return claimNow(tx, recording, seal)
  })
}

async function claimNow(tx: TenantTx, recording: Recording, seal: Seal): Promise<Claimed | undefined> {
  const { runId, id, origin, lastAt } = recording
  const manifest = await findManifest(tx, runId)
  if (!manifest) return undefined
  const beganAt = timeOf(origin.recording)
  const claim = await claimRecording(tx, {
    runId,
    recordingId: id,
    profileId: manifest.patient_profile_id,
    reason: seal,
    beganAt: new Date(beganAt),
    endedAt: seal === 'ended' ? new Date(Math.max(beganAt, lastAt)) : null,
  })
  return { ...claim, manifest, withdrawals: await findWithdrawals(tx, runId) }
}

async function write(options: FinaliseOptions, recording: Recording, seal: Seal, claimed: Claimed, tenant: Tenant) {
  const { log, objects, startPoseWork, afterStep = () => {} } = options
  const { manifest, withdrawals, version, base_version, base_events, base_replay } = claimed
  if (base_version > 0 && !base_events) throw new EventsGone('The media events of the run have expired.')
  const { events, views, ...control } = keptOf(await readControl(log, recording, base_events ?? []), withdrawals)
  const media = reduceMedia(events)
  const exercises = manifest.items.map(({ media_id, pose_config = null }) => ({ media_id, pose_config }))
  const key = keyOf(recording, version)
  const isDropped = (receivedAt: number) => isCameraWithdrawn(withdrawals, receivedAt)
  const source = { log, objects, recording, base: base_replay, isFirst: claimed.is_first, isDropped }
  const posed =
    recording.frames > 0 || base_replay
      ? await storeReplay(source, key, () => startPoseWork({ spans: media.spans, exercises }))
      : undefined
  const unreadable = control.unreadable + (posed?.replay.unreadable ?? 0)
  if (posed?.replay.batches === 0) await objects.delete(key) // no batch could be read
  afterStep('blob')
  try {
    await tenant((tx) =>
      flushRecording(tx, {
        runId: recording.runId,
        recordingId: recording.id,
        profileId: manifest.patient_profile_id,
        version,
        baseVersion: base_version,
        hasEnded: seal === 'ended' || claimed.has_ended,
        isDamaged: unreadable > 0 || recording.damaged || claimed.base_damaged,
        media,
        views,
        events,
        pose: posed?.metrics,
        exerciseIds: new Map(manifest.items.map(({ media_id, exercise_id = null }) => [media_id, exercise_id])),
        replay: replayRow(posed?.replay, key),
      }),
    )
    if (unreadable > 0) options.onUnreadable(recording, unreadable)
  } catch (error) {
    if (!isManifestGone(error)) throw error
    await forget(options, recording)
  }
  afterStep('rows')
}

const folderOf = ({ organizationId, runId }: Recording): string => `replays/${organizationId}/${runId}/`

const keyOf = (recording: Recording, version: number): string => `${folderOf(recording)}v${version}-${recording.id}.gz`

/** The patient was erased: store nothing, and delete what an earlier attempt stored. */
async function forget({ objects, onDiscard }: FinaliseOptions, recording: Recording): Promise<void> {
  for await (const key of objects.list(folderOf(recording))) await objects.delete(key)
  onDiscard('recording_without_manifest')
}

/** The recording began after the end of the run: delete what an earlier attempt stored before the end was known. */
async function dropLate(
  { objects, onDiscard }: FinaliseOptions,
  recording: Recording,
  { version }: Claim,
): Promise<void> {
  await objects.delete(keyOf(recording, version))
  onDiscard('recording_after_end')
}

const replayRow = (replay: Replay | undefined, key: string) =>
  replay && replay.batches > 0 ? { ...replay, key } : undefined

/** All media events of the run so far, and the library views of this recording. */
async function readControl(log: RunLog, recording: Recording, earlier: readonly MediaEvent[]) {
  const events = [...earlier]
  const views: LibraryView[] = []
  let unreadable = 0
  for await (const record of log.read('control', recording.id)) {
    const event = record?.kind === 'event' ? decodeEvent(record.payload) : undefined
    const view = record?.kind === 'view' ? decodeView(record.payload) : undefined
    if (event) events.push(event)
    else if (view) views.push(view)
    else if (!record || record.kind === 'event' || record.kind === 'view') unreadable += 1
  }
  return { events, views, unreadable }
}

/** Without what happened after a withdrawal, which is where the session then ended. */
function keptOf<Control extends { events: MediaEvent[]; views: LibraryView[] }>(
  control: Control,
  withdrawals: readonly Withdrawal[],
): Control {
  return {
    ...control,
    events: control.events.flatMap((event) => {
      const withdrawal = withdrawalOfRun(withdrawals, Date.parse(event.timestamp))
      if (!withdrawal) return [event]
      return event.event === 'session_end' ? [endedAt(event, withdrawal)] : []
    }),
    views: control.views.filter(({ viewed_at }) => !isRunWithdrawn(withdrawals, Date.parse(viewed_at))),
  }
}

/** Its data and its own time would tell what was watched after the withdrawal. */
const endedAt = ({ data: _data, ...end }: MediaEvent, { withdrawn_at }: Withdrawal): MediaEvent => ({
  ...end,
  timestamp: new Date(withdrawn_at).toISOString(),
})

/** Deletes replaced replays: first the object, then its row. */
async function clean({ objects }: FinaliseOptions, { runId }: Recording, tenant: Tenant): Promise<void> {
  for (const key of await tenant((tx) => listSupersededBlobs(tx, runId))) {
    await objects.delete(key)
    await tenant((tx) => deleteBlob(tx, key))
  }
}

/** The context of the service itself, inside one organization. */
const contextOf = (organizationId: string): Context => ({ principalId: null, organizationId, permissions: '*' })

const isManifestGone = (error: unknown): boolean => {
  if (error instanceof ManifestGone) return true
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23503' && (constraint?.endsWith('_run_fkey') ?? false)
}
