import { Button, Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconChevronLeft, IconChevronRight } from '../icons/index.ts'
import { useChangeSearch } from './list-search.ts'

/** "26–50 of 312", and the neighbouring pages. */
export function ListPages({ total, page, pageSize }: { total: number; page: number; pageSize: number }) {
  const t = useTranslations('ui')
  const change = useChangeSearch()
  if (total <= pageSize && page === 1) return null
  const first = (page - 1) * pageSize + 1
  const last = Math.min(total, page * pageSize)
  return (
    <Group component="nav" justify="space-between" aria-label={t('list.pages')} className="no-print">
      <Text size="sm" c="dimmed">
        {t('list.range', { first, last, total })}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={18} />}
          disabled={page <= 1}
          onClick={() => change({ page: page - 1 > 1 ? page - 1 : undefined })}
        >
          {t('action.previous')}
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={18} />}
          disabled={last >= total}
          onClick={() => change({ page: page + 1 })}
        >
          {t('action.next')}
        </Button>
      </Group>
    </Group>
  )
}
