import type { ApiError } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRefresh } from '../api/hooks.ts'
import { Conflict } from './conflict.tsx'
import { staleOf } from './stale.ts'

interface ActionConflictProps {
  write: { error: ApiError | null; reset: () => void }
  /** Reads whose URL starts with one of these are reloaded, to show the stored version. */
  refresh: readonly string[]
  /** Repeats the action with the stored version. */
  onAnyway: (version: number) => void
}

/** Like `Conflict`, for an action without input, such as a deletion: show the stored version, or do it anyway. */
export function ActionConflict({ write, refresh, onAnyway }: ActionConflictProps) {
  const t = useTranslations('ui.conflict')
  const readAgain = useRefresh()
  const stale = staleOf(write.error)
  const showTheirs = () => {
    write.reset()
    void readAgain(refresh)
  }
  return (
    <Conflict
      stale={stale}
      differences={[]}
      mine={t('anyway')}
      onTheirs={showTheirs}
      onMine={() => stale && onAnyway(stale.version)}
      onClose={showTheirs}
    />
  )
}
