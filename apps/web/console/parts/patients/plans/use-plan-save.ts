import type { ApiError, TreatmentPlan } from '@tendon/sdk'
import { useRefresh, useWrite } from '#ui/api/hooks.ts'
import { bodyOf, type PlanDraft } from './plan-draft.ts'
import type { Safety } from './use-safety.ts'

export type Outcome = 'saved' | 'activated'

interface PlanSave {
  /** The stored plan; undefined when it was refused. */
  save: (draft: PlanDraft, options: { activate: boolean; version?: number }) => Promise<TreatmentPlan | undefined>
  isPending: boolean
  error: ApiError | null
  reset: () => void
}

interface PlanSaveOptions {
  patientId: string
  plan: TreatmentPlan | undefined
  programId: string | undefined
  safety: Safety
  /** The stored plan, also when it was saved but not activated. */
  onStored: (plan: TreatmentPlan) => void
  onDone: (plan: TreatmentPlan, outcome: Outcome) => void
}

/** Creates or replaces the plan and, if requested, activates it for the patient. */
export function usePlanSave({ patientId, plan, programId, safety, onStored, onDone }: PlanSaveOptions): PlanSave {
  const refresh = ['/v1/treatment-plans']
  const create = useWrite('POST /v1/treatment-plans', { refresh })
  const replace = useWrite('PUT /v1/treatment-plans/{id}', { refresh })
  const status = useWrite('PUT /v1/treatment-plans/{id}/status', { refresh })
  const readAgain = useRefresh()
  const writes = [create, replace, status]
  const reset = () => writes.forEach((write) => write.reset())

  const save: PlanSave['save'] = async (draft, { activate, version }) => {
    reset()
    const body = bodyOf(draft, (id) => safety.levelOf(id) === 'reason')
    try {
      const { data: stored } = plan
        ? await replace.mutateAsync({ params: { id: plan.id }, body: { ...body, version: version ?? plan.version } })
        : await create.mutateAsync({
            body: { patient_id: patientId, ...(programId === undefined ? {} : { program_id: programId }), ...body },
          })
      onStored(stored)
      if (!activate) {
        onDone(stored, 'saved')
        return stored
      }
      const { id, version: storedVersion } = stored
      const { data: active } = await status.mutateAsync({
        params: { id },
        body: { status: 'active', version: storedVersion },
      })
      onStored(active)
      onDone(active, 'activated')
      return active
    } catch {
      // `error` contains the refusal; the draft is kept. What the page knew of the plan and its safety may be old.
      safety.recheck()
      void readAgain(refresh)
      return undefined
    }
  }
  return {
    save,
    isPending: writes.some(({ isPending }) => isPending),
    error: writes.map(({ error }) => error).find((error) => error !== null) ?? null,
    reset,
  }
}
