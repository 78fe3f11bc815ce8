import { type FormValues, isUnset, valueKeyOf } from '@tendon/contracts/form-values'
import { ApiError, type Form, type Reason, type SavedForm } from '@tendon/sdk'
import type { Clock } from '../clock.ts'
import { type Stale, staleOf } from '../feedback/stale.ts'
import { isSame, isWrong, mergeAnswers, storedAfter, unsavedFields } from './answer-rules.ts'

/** An answer is saved this long after the last key. */
export const AUTOSAVE_MS = 800
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 15_000

/**
 * unsaved: changed, and sent shortly. refused: the server, or a rule that it has too, does not accept some answers as they are.
 * failed: there was no answer; it is sent again.
 */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'refused' | 'failed'

export type StoredAnswers = Pick<Form, 'values' | 'version' | 'status' | 'completed_at'>

export interface AnswersOptions {
  send: (values: Record<string, unknown>, version: number) => Promise<SavedForm>
  /** The server has stored these answers. */
  onStored: (stored: StoredAnswers) => void
  clock: Clock
}

export interface AnswersView {
  values: FormValues
  state: SaveState
  /** Value keys of the answers that are not stored. */
  unsaved: readonly string[]
  /** Why the server refused answers, by value key. */
  refused: { fields: Readonly<Record<string, string>>; reasons: Readonly<Record<string, Reason>> }
  /** What is not said at a question. */
  error: ApiError | null
  /** Somebody has changed the same answers. `current` are theirs. */
  conflict: (Stale & { keys: readonly string[]; values: FormValues }) | undefined
  /** Somebody has changed other answers; they are shown now. */
  merged: Stale | undefined
}

interface Refusal {
  value: unknown
  words: string
  reason: Reason | undefined
  /** False: the question was not answered, and an answer is required. */
  wasSent: boolean
}

/** There was no decision: the same request may succeed later. */
export const isTemporary = ({ status }: ApiError): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500

/** The API names answers `values.<key>` and files `files.<key>`. */
const keyOf = (field: string): string => field.replace(/^(values|files)\./, '')

/** The answers of one form and whether they are stored. It sends changes one at a time, and each again until it is decided. */
export function createAnswers(form: Form, { send, onStored, clock }: AnswersOptions) {
  const { fields } = form
  let files: ReadonlySet<string> = new Set(Object.keys(form.files))
  let stored: StoredAnswers = form
  let values: FormValues = form.values
  let refusals = new Map<string, Refusal>()
  let error: ApiError | null = null
  let conflict: AnswersView['conflict']
  let merged: Stale | undefined
  let incoming: Form | undefined
  let running: Promise<void> | undefined
  let timer: { kind: 'change' | 'retry'; cancel: () => void } | undefined
  let failures = 0
  let isStopped = false
  const listeners = new Set<() => void>()

  const unsaved = () => unsavedFields(fields, { values, files }, stored.values)
  const isRefused = (key: string) => {
    const refusal = refusals.get(key)
    return refusal?.wasSent === true && isSame(refusal.value, values[key])
  }
  const sendable = () =>
    isStopped
      ? []
      : unsaved().filter((field) => !isWrong(field, values[valueKeyOf(field)]) && !isRefused(valueKeyOf(field)))

  function stateOf(isClean: boolean): SaveState {
    if (running) return 'saving'
    if (isClean) return 'saved'
    if (timer) return timer.kind === 'change' ? 'unsaved' : 'failed'
    return error && isTemporary(error) ? 'failed' : 'refused'
  }
  function look(): AnswersView {
    const keys = unsaved().map(valueKeyOf)
    const known = [...refusals].filter(([key, { value }]) => keys.length > 0 && isSame(value, values[key]))
    return {
      values,
      state: stateOf(keys.length === 0),
      unsaved: keys,
      refused: {
        fields: Object.fromEntries(known.map(([key, { words }]) => [key, words])),
        reasons: Object.fromEntries(known.flatMap(([key, { reason }]) => (reason ? [[key, reason]] : []))),
      },
      error: keys.length > 0 ? error : null,
      conflict,
      merged,
    }
  }
  let view = look()
  function notify() {
    view = look()
    for (const listener of listeners) listener()
  }

  function disarm() {
    timer?.cancel()
    timer = undefined
  }
  function arm(kind: 'change' | 'retry', ms: number) {
    disarm()
    if (isStopped) return
    timer = {
      kind,
      cancel: clock.after(ms, () => {
        timer = undefined
        void start()
      }),
    }
  }

  /** Takes over what is stored now, unless somebody has changed the same answers. */
  function adopt(fresh: Form): boolean {
    const merge = mergeAnswers(values, stored.values, fresh.values)
    if (merge.both.length > 0) return false
    files = new Set(Object.keys(fresh.files))
    values = merge.values
    stored = fresh
    return true
  }

  /** True: something can be sent now. */
  function recover(problem: ApiError, sent: Record<string, unknown>): boolean {
    const stale = staleOf(problem)
    if (stale) {
      const fresh = formIn(stale)
      const { both, isNews } = mergeAnswers(values, stored.values, fresh.values)
      if (adopt(fresh)) {
        onStored(fresh)
        if (isNews) merged = stale
        return true
      }
      conflict = { ...stale, keys: both, values: fresh.values }
      return false
    }
    const named = Object.entries(problem.fields).map(([field, words]) => {
      const key = keyOf(field)
      const refusal = { value: values[key], words, reason: problem.reasons[field], wasSent: Object.hasOwn(sent, key) }
      return [key, refusal.wasSent ? { ...refusal, value: sent[key] } : refusal] as const
    })
    refusals = new Map([...refusals, ...named])
    if (named.some(([, { wasSent }]) => wasSent)) {
      error = null
      return true
    }
    const isNamed = named.some(([key]) => fields.some((field) => valueKeyOf(field) === key))
    error = isNamed ? null : problem
    if (isTemporary(problem)) {
      const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++)
      arm('retry', Math.max(wait, (problem.retryAfter ?? 0) * 1000))
    }
    return false
  }

  async function run(): Promise<void> {
    for (let next = sendable(); next.length > 0; next = sendable()) {
      const sent = Object.fromEntries(
        next.map(valueKeyOf).map((key) => [key, isUnset(values[key]) ? null : values[key]] as const),
      )
      try {
        const saved = await send(sent, stored.version)
        const isComplete = saved.status === 'completed'
        stored = { ...saved, values: storedAfter(fields, stored.values, sent, { isComplete, files }) }
        refusals = new Map([...refusals].filter(([key, { wasSent }]) => wasSent && !Object.hasOwn(sent, key)))
        error = null
        failures = 0
        onStored(stored)
      } catch (problem) {
        if (!recover(asApiError(problem), sent)) return
      }
      notify()
    }
  }

  function start(): Promise<void> {
    disarm()
    if (!running && (conflict !== undefined || sendable().length === 0)) {
      // Nothing is sent again: what is left was refused.
      if (!conflict && error && isTemporary(error)) error = null
      notify()
      return Promise.resolve()
    }
    running ??= run().finally(() => {
      running = undefined
      if (incoming && incoming.version > stored.version) adopt(incoming)
      incoming = undefined
      notify()
    })
    notify()
    return running
  }

  /** Ends a conflict. `given` are the answers that the person gives up. */
  function decide(given: readonly string[]) {
    if (!conflict) return
    const fresh = formIn(conflict)
    const { values: mine } = mergeAnswers(values, stored.values, fresh.values)
    values = { ...mine, ...Object.fromEntries(given.map((key) => [key, fresh.values[key]])) }
    stored = fresh
    files = new Set(Object.keys(fresh.files))
    conflict = undefined
    onStored(fresh)
    void start()
  }

  return {
    view: () => view,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** For the time in which somebody sees the form: nothing is sent after the function that it returns was called. */
    attach() {
      isStopped = false
      return () => {
        isStopped = true
        disarm()
      }
    },
    answer(key: string, value: unknown) {
      values = { ...values, [key]: value }
      refusals = new Map([...refusals].filter(([, { wasSent }]) => wasSent))
      if (unsaved().length === 0) disarm()
      else if (timer?.kind !== 'retry' && !conflict) arm('change', AUTOSAVE_MS)
      notify()
    },
    /** Saves at once. True when every answer is stored. */
    async flush(): Promise<boolean> {
      if (unsaved().length > 0 || running) await start()
      return unsaved().length === 0
    },
    isClean: () => unsaved().length === 0,
    /** The connection is back. */
    retry() {
      if (timer?.kind === 'retry') void start()
    },
    /** The form was read again. */
    receive(fresh: Form) {
      if (running) incoming = fresh
      else if (fresh.version > stored.version && adopt(fresh)) notify()
    },
    keepMine: () => decide([]),
    /** Their answers to what both have changed; the person's others are kept. */
    takeTheirs: () => decide(conflict?.keys ?? []),
    /** The person decides later: nothing is sent until the next change. */
    postpone() {
      conflict = undefined
      notify()
    },
  }
}

/** The API answers a stale save with the whole form. */
function formIn({ current }: Stale): Form {
  if (!isForm(current)) throw new TypeError('A stale save must be answered with the form.')
  return current
}
const isForm = (row: object): row is Form => 'fields' in row && 'values' in row && 'files' in row

const asApiError = (problem: unknown): ApiError =>
  problem instanceof ApiError
    ? problem
    : Object.assign(new ApiError(0, { error: { code: 'network', message: 'There was no answer.' } }), {
        cause: problem,
      })
