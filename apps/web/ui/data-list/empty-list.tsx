import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { EmptyState } from '../feedback/empty-state.tsx'
import { IconSearch } from '../icons/index.ts'
import { useChangeSearch, useListSearch } from './list-search.ts'

interface EmptyListProps {
  isFiltered: boolean
  filterNames: readonly string[]
  empty: ReactNode
  onClear: () => void
}

/** Nothing yet, nothing that fits the search, or a page after the last. */
export function EmptyList({ isFiltered, filterNames, empty, onClear }: EmptyListProps) {
  const t = useTranslations('ui.list')
  const change = useChangeSearch()
  const { page = 1 } = useListSearch()
  const clear = () => {
    onClear()
    change(Object.fromEntries(['q', ...filterNames].map((name) => [name, undefined])))
  }
  if (isFiltered)
    return (
      <EmptyState
        icon={IconSearch}
        title={t('nothingFits')}
        text={t('nothingFitsText')}
        action={<Button onClick={clear}>{t('clearSearch')}</Button>}
      />
    )
  if (page > 1)
    return (
      <EmptyState
        title={t('afterLast')}
        action={<Button onClick={() => change({ page: undefined })}>{t('firstPage')}</Button>}
      />
    )
  return empty
}
