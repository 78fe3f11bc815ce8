import { linkOptions } from '@tanstack/react-router'
import type { ClinicRun } from '@tendon/sdk'

/** The review of a run. */
export const runLink = (slug: string, run: Pick<ClinicRun, 'id'>) =>
  linkOptions({ to: '/$clinic/session-runs/$runId', params: { clinic: slug, runId: run.id } })
