import type { ClinicRun } from '@tendon/sdk'

/** Where a session is looked at. */
export const runPath = (slug: string, run: Pick<ClinicRun, 'id'>): string => `/${slug}/session-runs/${run.id}`
