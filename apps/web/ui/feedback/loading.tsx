import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Problem } from './problem.tsx'

/** Rows of the height that the content will have, so that nothing jumps. */
export function Skeletons({ rows = 4, height = 48 }: { rows?: number; height?: number }) {
  const t = useTranslations('ui.frame')
  return (
    <Stack gap="sm" aria-busy="true">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  )
}

export interface LoadedProps<Data> {
  query: { data: Data | undefined; error: ApiError | null; refetch: () => unknown }
  /** While it loads. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** The three states of a read: loading, failed with a way to try again, there. */
export function Loaded<Data>({ query, skeleton = <Skeletons />, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return skeleton
}
