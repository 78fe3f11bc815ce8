import { useList } from '#ui/api/hooks.ts'
import { useMay } from '#ui/session/me.ts'

/** Whether conditions of the patient are recorded, against which exercises can be checked. */
export interface Conditions {
  state: 'recorded' | 'none' | 'loading' | 'failed' | 'hidden'
  retry: () => void
}

export function useConditions(patientId: string): Conditions {
  const maySee = useMay()('patients.view_org')
  const list = useList(
    'GET /v1/patients/{id}/conditions',
    { params: { id: patientId }, query: { limit: 1 } },
    { enabled: maySee, keepPrevious: false },
  )
  const state = () => {
    if (!maySee || list.error?.status === 403) return 'hidden'
    if (list.data) return list.data.total > 0 ? 'recorded' : 'none'
    return list.error ? 'failed' : 'loading'
  }
  return { state: state(), retry: () => void list.refetch() }
}
