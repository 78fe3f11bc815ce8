import { useList, useRead } from '#ui/api/hooks.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'

export type StepName = 'notice' | 'colleague' | 'specialist' | 'service' | 'hours' | 'patient' | 'plan'

export interface FirstStep {
  name: StepName
  done: boolean
  /** Whether the user has the permission for it. */
  mine: boolean
}

const ONE = { query: { limit: 1 } } as const

/** Which steps a new clinic has completed, from its data. `begun`: a patient has a plan, so the steps are hidden. */
export function useFirstSteps(): { steps: FirstStep[] | undefined; hasPatients: boolean; begun: boolean } {
  const { id } = useClinic()
  const may = useMay()
  const patients = useList('GET /v1/patients', ONE, { enabled: may('patients.view_org') })
  const plans = useList('GET /v1/treatment-plans', ONE, {
    enabled: may('patients.view_org') && may('treatment_plans.view_org'),
  })
  const hasPlan = plans.data !== undefined && plans.data.total > 0
  const isKnown = plans.data !== undefined || plans.error !== null || !may('treatment_plans.view_org')
  const needed = { enabled: plans.data !== undefined && !hasPlan }
  const notice = useRead('GET /v1/organizations/{id}/privacy-notice', { params: { id } }, needed)
  const members = useList(
    'GET /v1/organizations/{id}/members/picker',
    { params: { id }, query: { limit: 2 } },
    { enabled: needed.enabled && may('organizations.view_directory') },
  )
  const specialists = useList('GET /v1/specialists', ONE, {
    enabled: needed.enabled && may('specialists.view_org'),
  })
  const services = useList('GET /v1/services', ONE, { enabled: needed.enabled && may('services.view_org') })
  const calendars = useList('GET /v1/calendars', ONE, { enabled: needed.enabled && may('calendars.view_org') })
  const waiting = [notice, members, specialists, services, calendars, patients].some(
    ({ isLoading, data, error }) => isLoading && data === undefined && !error,
  )
  const steps: FirstStep[] = [
    {
      name: 'notice',
      done: (notice.data?.data.published_version ?? null) !== null,
      mine: may('organizations.manage_privacy_notice'),
    },
    { name: 'colleague', done: (members.data?.items.length ?? 0) > 1, mine: may('organizations.manage_members') },
    { name: 'specialist', done: (specialists.data?.total ?? 0) > 0, mine: may('specialists.manage') },
    { name: 'service', done: (services.data?.total ?? 0) > 0, mine: may('services.manage') },
    { name: 'hours', done: (calendars.data?.total ?? 0) > 0, mine: may('calendars.manage') },
    { name: 'patient', done: (patients.data?.total ?? 0) > 0, mine: may('patients.onboard') },
    { name: 'plan', done: hasPlan, mine: may('treatment_plans.manage') },
  ]
  return {
    steps: waiting || plans.data === undefined ? undefined : steps,
    hasPatients: (patients.data?.total ?? 0) > 0,
    begun: !isKnown || hasPlan || plans.data === undefined,
  }
}
