import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Today } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useRead } from '../../../ui/api/hooks.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { Ago, Instant } from '../../../ui/format/time.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { IconStretching } from '../../../ui/icons/index.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { StartSession, useUnsentReports } from './start-session.tsx'

/** What there is to do at this clinic: exercises, forms, the next visit. */
export function TodayPage() {
  const t = useTranslations('portal.today')
  const today = useRead('GET /v1/me/today')
  useUnsentReports()
  return (
    <Page title={t('title')}>
      <Loaded query={today}>{({ data }) => <Tasks today={data} />}</Loaded>
    </Page>
  )
}

function Tasks({ today }: { today: Today }) {
  const t = useTranslations('portal.today')
  const { id } = useClinic()
  const isHere = ({ organization }: { organization: { id: string } }) => organization.id === id
  const sessions = today.sessions.filter(isHere)
  const forms = today.forms.filter(isHere)
  const visit = today.next_visit && isHere(today.next_visit) ? today.next_visit : null
  if (sessions.length === 0 && forms.length === 0 && !visit)
    return <EmptyState icon={IconStretching} title={t('nothing')} text={t('nothingText')} />
  return (
    <Stack gap="xl">
      {visit && (
        <Section title={t('nextVisit')}>
          <Card title={visit.service_name}>
            <Instant value={visit.starts_at} />
            {visit.specialist_name && <div>{t('with', { name: visit.specialist_name })}</div>}
          </Card>
        </Section>
      )}
      {sessions.length > 0 && (
        <Section title={t('sessions')}>
          {sessions.map((session) => (
            <Card key={session.id} title={session.title} badge={t('exercises', { count: session.exercises_count })}>
              <LastRun session={session} />
              <StartSession session={session} />
            </Card>
          ))}
        </Section>
      )}
      {forms.length > 0 && (
        <Section title={t('forms')}>
          {forms.map((form) => (
            <Card key={form.id} title={form.title}>
              <Ago value={form.created_at} />
            </Card>
          ))}
        </Section>
      )}
    </Stack>
  )
}

function LastRun({ session: { run_in_progress, last_run } }: { session: Today['sessions'][number] }) {
  const t = useTranslations('portal.today')
  if (run_in_progress) return t('inProgress')
  if (!last_run) return t('never')
  return (
    <>
      {t('lastDone')}: <Ago value={last_run.started_at} />
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  )
}

function Card({ title, badge, children }: { title: string; badge?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={3} size="h4">
          {title}
        </Title>
        {badge !== undefined && <Badge>{badge}</Badge>}
      </Group>
      <Text component="div" c="dimmed">
        {children}
      </Text>
    </Paper>
  )
}
