import { Divider, Stack, Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { Instant } from '#ui/format/time.tsx'
import classes from './visit.module.css'

/** The reminders of a visit: when each is due, and what became of it. */
export function VisitReminders({ visitId }: { visitId: string }) {
  const t = useTranslations('console.visits.reminders')
  const reminders = useList('GET /v1/appointments/{id}/reminders', { params: { id: visitId } })
  const items = reminders.data?.items ?? []
  if (!reminders.error && items.length === 0) return null
  return (
    <>
      <Divider />
      <Stack gap="xs" component="section">
        <Title order={3} size="h4">
          {t('title')}
        </Title>
        <Problem error={reminders.error} />
        <ul className={classes.files}>
          {items.map(({ id, send_at, status, reason }) => (
            <li key={id} className={classes.file}>
              <span className={classes.fileName}>
                <Instant value={send_at} weekday />
                <Text size="sm" c="dimmed">
                  {reason === null ? t(`statuses.${status}`) : t('skipped', { reason: t(`reasons.${reason}`) })}
                </Text>
              </span>
            </li>
          ))}
        </ul>
      </Stack>
    </>
  )
}
