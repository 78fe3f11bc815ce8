import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { VISIT_READS } from '../../appointments/visit-reads.ts'
import type { KeptVisits } from './affected-visits.tsx'

/** Marks visits as kept once the day off is saved, and says what was saved. Those that fail stay on Today. */
export function useKeepVisits(): (visits: KeptVisits) => Promise<void> {
  const t = useTranslations('console.settings.hours')
  const keep = useWrite('PATCH /v1/appointments/{id}', { refresh: VISIT_READS })
  return async (visits) => {
    let failed = 0
    for (const [id, version] of visits)
      await keep.mutateAsync({ params: { id }, body: { kept_on_day_off: true, version } }).catch(() => {
        failed += 1
      })
    toast(failed === 0 ? { text: t('saved') } : { text: t('notKept', { count: failed }), kind: 'problem' })
  }
}
