import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Today } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { Ago, Instant } from '../../../ui/format/time.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { IconStretching, IconWifiOff } from '../../../ui/icons/index.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { useToday } from '../../offline/use-today.ts'
import { StartSession, useUnsentReports } from './start-session.tsx'

/** What the patient has to do at this clinic: exercises, forms, the next visit. */
export function TodayPage() {
  const t = useTranslations('portal.today')
  const today = useToday()
  useUnsentReports()
  return (
    <Page title={t('title')}>
      {today.offlineSince !== undefined && <Offline since={today.offlineSince} />}
      <Loaded query={today}>{(data) => <Tasks today={data} />}</Loaded>
    </Page>
  )
}

function Offline({ since }: { since: string }) {
  const t = useTranslations('portal.today')
  return (
    <Alert color="gray" role="status" icon={<IconWifiOff />} title={t('offline')}>
      {t('offlineText')} <Instant value={since} />
    </Alert>
  )
}

function Tasks({ today }: { today: Today }) {
  const t = useTranslations('portal.today')
  const { id, slug: clinic } = useClinic()
  const isHere = ({ organization }: { organization: { id: string } }) => organization.id === id
  const sessions = today.sessions.filter(isHere)
  const forms = today.forms.filter(isHere)
  const visit = today.next_visit && isHere(today.next_visit) ? today.next_visit : null
  if (sessions.length === 0 && forms.length === 0 && !visit)
    return (
      <EmptyState
        icon={IconStretching}
        title={t('nothing')}
        text={t('nothingText')}
        action={<GoTo to={`/${clinic}/visits/new`}>{t('book')}</GoTo>}
      />
    )
  return (
    <Stack gap="xl">
      {visit && (
        <Section title={t('nextVisit')}>
          <Card title={visit.service_name}>
            <Instant value={visit.starts_at} />
            {visit.specialist_name && <div>{t('with', { name: visit.specialist_name })}</div>}
            <GoTo to={`/${clinic}/visits`}>{t('seeVisit')}</GoTo>
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
              <GoTo to={`/${clinic}/forms/${form.id}`}>{form.status === 'pending' ? t('fillIn') : t('goOn')}</GoTo>
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

function GoTo({ to, children }: { to: string; children: string }) {
  return (
    <Group mt="sm">
      <Button variant="light" size="md" renderRoot={(props) => <Link {...props} to={to} />}>
        {children}
      </Button>
    </Group>
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
