import type { ClinicRun } from '@tendon/sdk'

/** The URL of a run's review. */
export const runPath = (slug: string, run: Pick<ClinicRun, 'id'>): string => `/${slug}/session-runs/${run.id}`
