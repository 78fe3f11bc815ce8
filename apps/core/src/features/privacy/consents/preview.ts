import type { Language } from '@tendon/access'
import type { ConsentState, WithdrawalPreview } from '@tendon/contracts'
import type { Dependents } from './preview-queries.ts'

// What stops when a consent is withdrawn: everything for which the platform checks that consent.
// telerehab: starting a session (care/session-runs/starting.ts) and the token of a running one. biometric_capture: pose data
// of new tokens (care/session-runs/queries.ts). telemedicine: joining and booking by video (scheduling/appointments).
// marketing_email: sending (functions/connections.sql). Nothing is checked for the other purposes of legal basis consent.

type Effect = WithdrawalPreview['stops'][number]['effect']
type Words = (count: number) => string
const one = (count: number) => count === 1

const WORDS: Record<Effect, Record<Language, Words>> = {
  sessions_at_home: {
    en: (n) => `You cannot start exercise sessions at home. Active treatment plans at this clinic: ${n}.`,
    ro: (n) => `Nu mai puteți începe ședințe de exerciții acasă. Planuri de tratament active la această clinică: ${n}.`,
  },
  session_in_progress: {
    en: (n) => `Sessions in progress that are no longer recorded: ${n}.`,
    ro: (n) => `Ședințe în desfășurare care nu mai sunt înregistrate: ${n}.`,
  },
  camera_measurement: {
    en: () => 'The camera no longer measures your movement. You can still do your exercises.',
    ro: () => 'Camera nu vă mai măsoară mișcările. Puteți face exercițiile în continuare.',
  },
  video_appointments: {
    en: (n) =>
      n === 0
        ? 'You cannot book or join video appointments.'
        : `You cannot book or join video appointments. ${one(n) ? 'One is' : `${n} are`} planned; the clinic is informed.`,
    ro: (n) =>
      n === 0
        ? 'Nu mai puteți programa consultații video și nu puteți participa la ele.'
        : `Nu mai puteți programa consultații video și nu puteți participa la ele. Programate: ${n}; clinica este anunțată.`,
  },
  marketing_mail: {
    en: () => 'The clinic no longer sends you news by e-mail.',
    ro: () => 'Clinica nu vă mai trimite noutăți prin e-mail.',
  },
  consents: {
    en: (n) => `Every consent at this clinic ends. Active now: ${n}.`,
    ro: (n) => `Toate acordurile date acestei clinici încetează. Active acum: ${n}.`,
  },
  record_access: {
    en: () => 'The clinic no longer sees your record in its lists, and you no longer have access to this clinic.',
    ro: () => 'Clinica nu vă mai vede fișa în listele sale, iar dumneavoastră nu mai aveți acces la această clinică.',
  },
  account: {
    en: () => 'Your account is erased, at every clinic.',
    ro: () => 'Contul dumneavoastră este șters, la toate clinicile.',
  },
}

/** null: there is no current consent. `active`: how many consents are active at the same place. */
export function previewOf(
  state: Pick<ConsentState, 'purpose_code' | 'scope' | 'withdrawable' | 'current'>,
  { dependents, active, language }: { dependents: Dependents; active: number; language: Language },
): WithdrawalPreview | null {
  if (state.current === null) return null
  const stop = (effect: Effect, count: number | null = null) => ({
    effect,
    count,
    text: WORDS[effect][language](count ?? 0),
  })
  if (state.scope === 'platform') return { how: 'erase_account', stops: [stop('account')] }
  if (!state.withdrawable) return { how: 'leave_clinic', stops: [stop('consents', active), stop('record_access')] }
  const { plans, runs, videos } = dependents
  const stops: Record<string, WithdrawalPreview['stops']> = {
    telerehab: [stop('sessions_at_home', plans), ...(runs > 0 ? [stop('session_in_progress', runs)] : [])],
    biometric_capture: [stop('camera_measurement')],
    telemedicine: [stop('video_appointments', videos)],
    marketing_email: [stop('marketing_mail')],
  }
  return { how: 'withdraw', stops: stops[state.purpose_code] ?? [] }
}
