import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { AccessLogEntry } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { ListPages } from '#ui/data-list/list-pages.tsx'
import { LIST_PAGE_SIZE } from '#ui/data-list/list-search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Instant } from '#ui/format/time.tsx'
import { IconEye } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { MyPage } from '../../parts/me/my-page.tsx'

/** Who viewed or changed the person's data at this clinic, newest first. */
export function AccessLogPage() {
  const t = useTranslations('portal.log')
  const { id } = useClinic()
  const { page = 1 } = useSearch({ from: '/$clinic/me/access-log' })
  const log = useList('GET /v1/me/access-log', {
    query: { organization_id: id, sort: '-occurred_at', page, limit: LIST_PAGE_SIZE },
  })
  return (
    <MyPage title={t('title')}>
      <Loaded query={log}>
        {({ items, total, pageSize }) =>
          total === 0 ? (
            <EmptyState icon={IconEye} title={t('none')} text={t('noneText')} />
          ) : (
            <Stack gap="sm">
              {items.map((entry, index) => (
                <Entry key={`${entry.occurred_at} ${index}`} entry={entry} />
              ))}
              <ListPages total={total} page={page} pageSize={pageSize} />
            </Stack>
          )
        }
      </Loaded>
    </MyPage>
  )
}

function Entry({ entry: { occurred_at, who, role_name, what, how, reason } }: { entry: AccessLogEntry }) {
  const t = useTranslations('portal.log')
  const name = who.kind === 'staff' ? (who.name ?? t('unknown')) : t(who.kind)
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="xs">
        <Text fw={650}>{role_name && who.kind === 'staff' ? `${name}, ${role_name}` : name}</Text>
        {how !== 'normal' && (
          // Orange text on light orange misses 4.5:1.
          <Badge color="orange" c="var(--mantine-color-text)">
            {how === 'break_glass' ? t('breakGlass') : t('impersonation')}
          </Badge>
        )}
      </Group>
      <Text>{what}</Text>
      {reason !== null && <Text>{t('reason', { reason })}</Text>}
      <Text size="sm" c="dimmed">
        <Instant value={occurred_at} />
      </Text>
    </Paper>
  )
}
