import { MAX_PAIN_TREND, type SummaryPain } from '@tendon/contracts'

interface Reported {
  worst: number | null
  reported_at: string | null
}

/** The pain of runs, which come newest first; null without a report. */
export function painOf(runs: readonly Reported[]): SummaryPain | null {
  const reports = runs
    .flatMap(({ worst, reported_at: at }) => (worst === null || at === null ? [] : [{ worst, at }]))
    .slice(0, MAX_PAIN_TREND)
  const [newest] = reports
  if (!newest) return null
  const trend = reports.map(({ worst }) => worst).reverse()
  return { last: newest.worst, at: newest.at, worst: Math.max(...trend), trend }
}

/** The lists whose rows a summary shows, by the permission of each list. */
export const SEEING = {
  visits: 'appointments.view_org',
  runs: 'session_runs.view_org',
  plans: 'treatment_plans.view_org',
  forms: 'forms.view_org',
  consents: 'consents.view_org',
} as const

export type Seen = Record<keyof typeof SEEING, boolean>
