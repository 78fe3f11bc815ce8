import { ApiError, type Form, type FormQuestion, type SavedForm } from '@tendon/sdk'
import type { Clock } from '../clock.ts'
import { type AnswersOptions, createAnswers, type StoredAnswers } from './answers.ts'

/** A clock that a test moves. */
export function manualClock() {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  const clock: Clock = {
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  }
  return {
    clock,
    get waiting() {
      return timers.map(({ at }) => at - now)
    },
    /** Runs what is due, in order, and lets promises settle: first those of a request that was sent before. */
    async pass(ms: number) {
      await settled()
      const until = now + ms
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)
        if (!next) break
        now = next.at
        timers = timers.filter((other) => other !== next)
        next.run()
        await settled()
      }
      now = until
      await settled()
    },
  }
}

export const settled = () => new Promise<void>((done) => setImmediate(done))

const FIELDS: FormQuestion[] = [
  { key: 'complaint', type: 'text', label: 'Complaint' },
  { key: 'email', type: 'email', label: 'E-mail' },
  { key: 'smoker', type: 'radio', options: ['Yes', 'No'], label: 'Smoker' },
  {
    key: 'cigarettes',
    type: 'number',
    label: 'Cigarettes',
    required: true,
    visible_when: { mode: 'all', conditions: [{ field_key: 'smoker', op: 'eq', value: 'Yes' }] },
  },
]

export const formOf = (values: Record<string, unknown> = {}, version = 1): Form => ({
  id: 'form',
  title: 'Intake',
  type: 'intake',
  status: 'in_progress',
  template_version: 1,
  form_template_id: 'template',
  appointment_id: null,
  patient_profile_id: 'profile',
  amends_form_id: null,
  amended_by_form_id: null,
  amended_at: null,
  fields: FIELDS,
  translations: {},
  values,
  files: {},
  consent_purposes: [],
  completed_at: null,
  signed_by: 'staff',
  signed_at: null,
  signed_by_principal_id: null,
  created_by_principal_id: null,
  created_at: '2026-11-17T09:00:00.000Z',
  version,
})

export const refusal = (status: number, error: object = {}, headers: Record<string, string> = {}) =>
  new ApiError(status, { error: { code: 'unknown', ...error } }, new Headers(headers))

/** The answer of the API to a save of another version than `current`. */
export const stale = (current: Form, by = 'ana') =>
  refusal(409, {
    code: 'stale_version',
    current,
    current_version: current.version,
    changed_at: '2026-11-17T10:00:00.000Z',
    changed_by: { principal_id: by, name: 'Ana' },
  })

type Reply = ApiError | Partial<SavedForm> | Promise<Partial<SavedForm>>

/** Answers whose saves get these replies in turn; after them every save succeeds. */
export function answersWith(form: Form = formOf(), replies: Reply[] = []) {
  const time = manualClock()
  const sent: { values: Record<string, unknown>; version: number }[] = []
  const stored: StoredAnswers[] = []
  const send: AnswersOptions['send'] = async (values, version) => {
    sent.push({ values, version })
    const reply = await replies.shift()
    if (reply instanceof ApiError) throw reply
    return { id: form.id, status: 'in_progress', completed_at: null, version: version + 1, ...reply }
  }
  const answers = createAnswers(form, { send, clock: time.clock, onStored: (one) => stored.push(one) })
  return { answers, time, sent, stored, state: () => answers.view().state }
}
