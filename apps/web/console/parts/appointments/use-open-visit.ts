import { useSearch } from '@tanstack/react-router'
import { useChangeSearch } from '#ui/data-list/list-search.ts'

/** The visit that is open beside the page. Its id is in the URL, so that a reload and a link show it again. */
export function useOpenVisit(): { id: string | undefined; open: (id: string) => void; close: () => void } {
  const { visit, page } = useSearch({ strict: false })
  const change = useChangeSearch()
  return {
    id: visit,
    open: (id) => change({ visit: id, page }),
    close: () => change({ visit: undefined, page }),
  }
}
