import type { SavedView } from '@tendon/sdk'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { staleOf } from '#ui/feedback/stale.ts'

const LIST = { params: { list: 'patients' } } as const

type Views = SavedView[]

const isViews = (row: object): row is { views: Views } => 'views' in row && Array.isArray(row.views)

/** The views that this person saved for the list of patients. Nobody else sees them. */
export function useSavedViews() {
  const read = useRead('GET /v1/me/saved-views/{list}', LIST)
  const write = useWrite('PUT /v1/me/saved-views/{list}', { refresh: ['/v1/me/saved-views'] })
  const views: Views = read.data?.data.views ?? []

  /** Applies the change to the stored views, so that a view saved in another tab is kept. */
  async function change(apply: (views: Views) => Views): Promise<boolean> {
    const send = (from: Views, version: number) => write.mutateAsync({ ...LIST, body: { views: apply(from), version } })
    try {
      await send(views, read.data?.data.version ?? 1).catch((error) => {
        const stale = staleOf(error)
        if (!stale || !isViews(stale.current)) throw error
        return send(stale.current.views, stale.version)
      })
      return true
    } catch {
      return false // `error` contains the refusal
    }
  }

  const without = (name: string) => (from: Views) =>
    from.filter((view) => view.name.toLowerCase() !== name.toLowerCase())
  return {
    views,
    isReady: read.data !== undefined,
    /** A view of the same name is replaced. */
    save: (view: SavedView) => change((from) => [...without(view.name)(from), view]),
    remove: (name: string) => change(without(name)),
    write,
  }
}
