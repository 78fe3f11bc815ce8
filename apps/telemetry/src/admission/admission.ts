import type { BodyChecker } from '../inflate/checker.ts'
import type { RunLog } from '../log/run-log.ts'
import type { RunIdentity } from '../runs/take.ts'
import { Buckets } from './buckets.ts'
import { WaitingRoom } from './waiting-room.ts'

// Who is let in, decided before a body is read. When there is too much to do, pose goes first: it may be lost, and the end of
// a session may not. For each run a few requests that could be the end of its session are let in whatever the quotas say.

// A body may take its time, and a few runs must not hold all slots with such bodies: as many are inside as may come at once.
/**
 * "about 5 batches per second per session for reconnect and flush", while "about 1 batch per second" is the average: what was
 * not sent in the last two minutes may be sent later.
 */
const RUN_POSE = { perSecond: 5, burst: 5, insideMax: 5, allowance: { perSecond: 1, burst: 120 } }
/** The specification gives no figure: a session has about one event in nine seconds, and tens when it reconnects. */
const RUN_MEDIA = { perSecond: 5, burst: 50, insideMax: 50 }
/** Pose is shed when the oldest append waits for longer. */
const POSE_WAIT_MAX_MS = 50
/** Bodies that are being read or stored at once: a group of the log, and the next one on its way. */
const POSE_SLOTS = 600
/** Those who find no slot wait for one. Nobody reads their bodies, but Node takes in the first 64 KB of each. */
const POSE_WAITING = { patienceMs: 500, max: 5_000, maxBytes: 128 * 1024 * 1024 }
const MEDIA_SLOTS = 2_000
const RESERVED_SLOTS = 1_000
/** A page that closes sends its last events together, over as many as six connections. */
const RUN_RESERVED_SLOTS = 8

export type PoseDenial = 'shed' | 'rate_limited' | 'unavailable'
export type MediaDenial = 'rate_limited' | 'unavailable'

export interface PoseSender {
  /** Of its body. */
  bytes: number
  /** Nobody waits for the answer any more, and nothing need be told. */
  hasLeft: () => boolean
}

export interface AdmissionOptions {
  log: RunLog
  checker: BodyChecker
  now: () => number
  organizationPosePerSecond: number
  organizationMediaPerSecond: number
}

export class Admission {
  readonly #options: AdmissionOptions
  readonly #runPose = new Buckets(RUN_POSE)
  readonly #runMedia = new Buckets(RUN_MEDIA)
  readonly #organizationPose: Buckets
  readonly #organizationMedia: Buckets
  /** Run → its requests in reserved slots. */
  readonly #reservedOf = new Map<string, number>()
  readonly #waiting = new WaitingRoom(POSE_WAITING)
  #pose = 0
  #media = 0
  #reserved = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
    const ofOrganization = (perSecond: number) => new Buckets({ perSecond, burst: perSecond, max: 10_000 })
    this.#organizationPose = ofOrganization(options.organizationPosePerSecond)
    this.#organizationMedia = ofOrganization(options.organizationMediaPerSecond)
  }

  /**
   * Tells why a batch is not let in, at once or, when there is no room, a moment later; undefined: it has a slot, to be given
   * back with `leavePose`. Quotas come first, so that nobody fills the room where others wait, too.
   */
  enterPose(identity: RunIdentity, sender: PoseSender, tell: (denial: PoseDenial | undefined) => void): void {
    if (!this.#takePoseQuota(identity)) return tell('rate_limited')
    const enter = () => {
      const denial = this.#tryPose(identity.runId)
      if (denial !== 'shed') tell(denial)
      return denial !== 'shed'
    }
    const giveUp = () => {
      this.#givePoseQuota(identity)
      tell('shed')
    }
    this.#waiting.next()
    if (this.#waiting.size > 0 || !enter())
      this.#waiting.wait({ bytes: sender.bytes, enter: () => sender.hasLeft() || enter(), giveUp })
  }

  leavePose({ runId }: RunIdentity): void {
    this.#runPose.leave(runId)
    this.#pose -= 1
    this.#waiting.next()
  }

  #takePoseQuota({ runId, organizationId }: RunIdentity): boolean {
    const at = this.#options.now()
    if (!this.#organizationPose.has(organizationId, at) || !this.#runPose.take(runId, at)) return false
    return this.#organizationPose.take(organizationId, at)
  }

  /** What was shed does not count. */
  #givePoseQuota({ runId, organizationId }: RunIdentity): void {
    this.#runPose.give(runId)
    this.#organizationPose.give(organizationId)
  }

  #tryPose(runId: string): 'shed' | 'unavailable' | undefined {
    const { log, checker } = this.#options
    const refusal = log.refusal('bulk')
    if (refusal === 'failed') return 'unavailable'
    if (refusal === 'full' || this.#pose >= POSE_SLOTS || !checker.hasRoom()) return 'shed'
    if (log.oldestWaitMs('bulk') > POSE_WAIT_MAX_MS) return 'shed'
    this.#runPose.enter(runId)
    this.#pose += 1
    return undefined
  }

  /** Why a media event is not let in. `mayEnd`: the run's session has not ended, so this may be its end. */
  enterMedia(identity: RunIdentity, mayEnd: boolean): MediaEntry | MediaDenial {
    if (this.#options.log.refusal('control')) return 'unavailable'
    const hasQuota = this.#takeMediaQuota(identity)
    if (hasQuota && this.#media < MEDIA_SLOTS) return this.#enterMedia(identity)
    if (hasQuota) this.#giveMediaQuota(identity)
    const denial = hasQuota ? 'unavailable' : 'rate_limited'
    return (mayEnd && this.#enterReserved(identity, denial)) || denial
  }

  #enterMedia(identity: RunIdentity): MediaEntry {
    this.#runMedia.enter(identity.runId)
    this.#media += 1
    return {
      giveQuota: () => this.#giveMediaQuota(identity),
      leave: () => {
        this.#runMedia.leave(identity.runId)
        this.#media -= 1
      },
    }
  }

  #enterReserved({ runId }: RunIdentity, denial: MediaDenial): MediaEntry | undefined {
    const others = this.#reservedOf.get(runId) ?? 0
    if (others >= RUN_RESERVED_SLOTS || this.#reserved >= RESERVED_SLOTS) return undefined
    this.#reservedOf.set(runId, others + 1)
    this.#reserved += 1
    return {
      denial,
      giveQuota: () => {},
      leave: () => {
        const left = (this.#reservedOf.get(runId) ?? 1) - 1
        if (left > 0) this.#reservedOf.set(runId, left)
        else this.#reservedOf.delete(runId)
        this.#reserved -= 1
      },
    }
  }

  #takeMediaQuota({ runId, organizationId }: RunIdentity): boolean {
    const at = this.#options.now()
    if (!this.#organizationMedia.has(organizationId, at) || !this.#runMedia.take(runId, at)) return false
    return this.#organizationMedia.take(organizationId, at)
  }

  #giveMediaQuota({ runId, organizationId }: RunIdentity): void {
    this.#runMedia.give(runId)
    this.#organizationMedia.give(organizationId)
  }
}

export interface MediaEntry {
  /** It was let in only because it may be the end of a session; if it is not, it is refused with this. */
  denial?: MediaDenial
  /** The first end of a session costs nothing. */
  giveQuota: () => void
  leave: () => void
}
