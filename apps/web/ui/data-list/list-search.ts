import { useNavigate, useSearch } from '@tanstack/react-router'

/** The state of a list is its URL: search, order, page, and whatever filters the page adds. */
export interface ListSearch {
  q?: string
  /** A column, `-` in front for descending. */
  sort?: string
  page?: number
}

export const LIST_PAGE_SIZE = 25

/** For `validateSearch` of a list's route: anything that makes no sense is left out. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const { q, sort, page } = search
  return {
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(typeof sort === 'string' && /^-?\w+$/.test(sort) ? { sort } : {}),
    ...(Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {}),
  }
}

/** Like `listSearch`, with filters by name: `withFilters('status', 'tag')`. */
export const withFilters =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): ListSearch & { [Key in Name]?: string } => {
    const given = names.filter((name) => typeof search[name] === 'string' && search[name] !== '')
    const filters = Object.fromEntries(given.map((name) => [name, String(search[name]).slice(0, 200)]))
    return { ...listSearch(search), ...(filters as { [Key in Name]?: string }) }
  }

/** What the URL says of a list's query: for `loaderDeps` of its route, so that loader and page send the same. */
export const listQuery = ({ sort, page }: ListSearch, firstSort: string) => ({
  sort: sort ?? firstSort,
  page,
  limit: LIST_PAGE_SIZE,
})

/** Changes the list's part of the URL; another search or filter begins at the first page. */
export function useChangeSearch(): (change: Record<string, string | number | undefined>) => void {
  const navigate = useNavigate()
  return (change) => {
    const keep = 'page' in change ? {} : { page: undefined }
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...keep, ...change }),
      replace: true,
    })
  }
}

/** The list's part of the URL, for the parts of any list. A page reads its own with `useSearch({ from: '/$clinic/patients' })`. */
export function useListSearch(): ListSearch {
  const search = useSearch({ strict: false })
  return search
}
