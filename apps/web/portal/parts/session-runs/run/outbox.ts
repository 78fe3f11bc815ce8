import type { MediaEvent, NewExerciseEvent, NewPainReport, NewSessionFeedback, RunEnd } from '@tendon/sdk'

// Reports of a session are stored here until the server has them. Entries of a run are sent one at a time, in order.
// Sending one twice has no effect: events have a `client_event_id`, media events their time.

export type Report =
  | { kind: 'exercise'; body: NewExerciseEvent }
  | { kind: 'pain'; body: NewPainReport }
  | { kind: 'media'; body: MediaEvent }
  | { kind: 'end'; body: RunEnd }
  | { kind: 'feedback'; body: NewSessionFeedback }

export type Entry = Report & {
  id: number
  /** The person of the session. Entries are sent only while this person is signed in. */
  person: string
  organization: string
  run: string
  /** When the entry was added. */
  added: number
  /** It will not reach the clinic: the server refused it, or it waited too long. Kept until the patient has read so. */
  refused?: true
}

export interface OutboxStore {
  /** Returns the id, which is higher than all before. */
  add(entry: Omit<Entry, 'id'>): Promise<number>
  /** In insertion order. */
  all(person: string): Promise<Entry[]>
  replace(entry: Entry): Promise<void>
  remove(id: number): Promise<void>
}

/** `gone`: the server refused it permanently. `wait`: no response, or a response that asks to retry later. */
export type Sent = 'sent' | 'gone' | { wait_ms: number | null }

export interface OutboxOptions {
  person: string
  store: OutboxStore
  send: (entry: Entry) => Promise<Sent>
  /** What the store has, when it was read before. */
  known?: readonly Entry[]
  now?: () => number
  /** Only one tab sends at a time. */
  alone?: (work: () => Promise<void>) => Promise<void>
  later?: (run: () => void, milliseconds: number) => () => void
}

export interface Outbox {
  add(report: Report & { organization: string; run: string }): Promise<void>
  /** Sends the stored entries. Resolves when all are sent or sending must wait. */
  flush(): Promise<void>
  /** The number of reports that the server does not have yet, including those that are being stored. */
  waiting(): number
  /** Reports that will not reach the clinic. */
  refused(): readonly Entry[]
  /** The patient has read that these will not reach the clinic. */
  dismiss(entries: readonly Entry[]): Promise<void>
  subscribe(listener: () => void): () => void
  close(): void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15_000
/** Events of the patient do not wait for media events. What ends the run does, because after it media events are refused. */
const WAITS_FOR_MEDIA: ReadonlySet<Entry['kind']> = new Set(['media', 'end', 'feedback'])
const KEPT_MS = 7 * 24 * 3_600_000

const withLock = (work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request('tendon-outbox', work) : work()

function timer(run: () => void, milliseconds: number): () => void {
  const id = setTimeout(run, milliseconds)
  return () => clearTimeout(id)
}

const isWaiting = (entry: Entry): boolean => !entry.refused

export function createOutbox(options: OutboxOptions): Outbox {
  const { person, store, send, known = [], now = Date.now, alone = withLock, later = timer } = options
  const listeners = new Set<() => void>()
  let storing = 0
  /** Entries found by the last reading of the store that are not sent yet. */
  let left = known.filter(isWaiting).length
  let waiting = left
  let refused: readonly Entry[] = known.filter((entry) => entry.refused)
  let lastReadId = 0
  /** Stored since the last reading. */
  const unread = new Set<number>()
  let flushing: Promise<void> | undefined
  let wait_ms = FIRST_WAIT_MS
  let cancel: (() => void) | undefined
  const state = { again: false, closed: false }

  function tell(): void {
    for (const listener of listeners) listener()
  }

  function count(): void {
    const sum = storing + unread.size + left
    if (sum === waiting) return
    waiting = sum
    tell()
  }

  function setRefused(entries: readonly Entry[]): void {
    if (entries.length === 0 && refused.length === 0) return
    refused = entries
    tell()
  }

  /** Media events are no reports of the patient. */
  async function giveUp(entry: Entry): Promise<void> {
    if (entry.kind === 'media') return store.remove(entry.id)
    const kept = { ...entry, refused: true } as const
    await store.replace(kept)
    setRefused([...refused, kept])
  }

  function waitFor(milliseconds: number | null): void {
    state.again = false
    cancel?.()
    cancel = later(() => void flush(), milliseconds ?? wait_ms)
    wait_ms = Math.min(LONGEST_WAIT_MS, wait_ms * 2)
  }

  async function sendAll(): Promise<void> {
    const stored = [...unread]
    const all = await store.all(person)
    const entries = all.filter(isWaiting)
    setRefused(all.filter((entry) => entry.refused))
    let mediaWait: { wait_ms: number | null } | undefined
    // Those that are no longer in the store were sent by another tab.
    for (const id of [...stored, ...all.map((entry) => entry.id)]) unread.delete(id)
    lastReadId = Math.max(lastReadId, all.at(-1)?.id ?? 0)
    left = entries.length
    count()
    for (const entry of entries) {
      if (state.closed) return
      if (mediaWait && WAITS_FOR_MEDIA.has(entry.kind)) continue
      const result = now() - entry.added > KEPT_MS ? 'gone' : await send(entry)
      if (typeof result === 'object') {
        if (entry.kind !== 'media') return waitFor(result.wait_ms)
        mediaWait = result
        continue
      }
      await (result === 'gone' ? giveUp(entry) : store.remove(entry.id))
      left -= 1
      count()
    }
    if (mediaWait) waitFor(mediaWait.wait_ms)
    else wait_ms = FIRST_WAIT_MS
  }

  async function work(): Promise<void> {
    do {
      state.again = false
      await alone(sendAll)
    } while (state.again && !state.closed)
  }

  function flush(): Promise<void> {
    cancel?.()
    state.again = true
    flushing ??= work().finally(() => {
      flushing = undefined
      if (state.again && !state.closed) void flush()
    })
    return flushing
  }

  return {
    async add(report) {
      storing += 1
      count()
      try {
        const id = await store.add({ ...report, person, added: now() })
        if (id > lastReadId) unread.add(id)
      } finally {
        storing -= 1
        count()
      }
      void flush()
    },
    flush,
    waiting: () => waiting,
    refused: () => refused,
    async dismiss(entries) {
      for (const { id } of entries) await store.remove(id)
      setRefused(refused.filter((one) => !entries.includes(one)))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      state.closed = true
      cancel?.()
    },
  }
}
