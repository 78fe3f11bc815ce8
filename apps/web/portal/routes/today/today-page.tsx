import { Alert, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Today } from '@tendon/sdk'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSteadyOrder } from '#ui/data-list/use-steady-order.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { dayIn } from '#ui/format/dates.ts'
import { Ago, Day, Instant } from '#ui/format/time.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { ButtonLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { IconCheck, IconStretching, IconWifiOff } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useToday } from '../../offline/use-today.ts'
import { MODE_ICONS } from '../../parts/book/service-list.tsx'
import { useServiceNames } from '../../parts/book/service-names.ts'
import { VisitTime } from '../../parts/book/visit-facts.tsx'
import { StartSession } from '../../parts/today/start-session.tsx'
import { UnsentReports } from '../../parts/today/unsent-reports.tsx'

/** A visit within a day comes before exercises and forms. */
const SOON_MS = 86_400_000

/** What the patient has to do at this clinic: exercises, forms, the next visit. */
export function TodayPage() {
  const t = useTranslations('portal.today')
  const today = useToday()
  return (
    <Page title={t('title')}>
      {today.offlineSince !== undefined && <Offline since={today.offlineSince} />}
      <UnsentReports />
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
  const now = useNow()
  const isHere = ({ organization }: { organization: { id: string } }) => organization.id === id
  const sessions = useSteadyOrder(today.sessions.filter(isHere))
  const forms = useSteadyOrder(today.forms.filter(isHere))
  const visit = today.next_visit && isHere(today.next_visit) ? today.next_visit : null
  // Decided when the visit is first shown: it does not change its place under a finger.
  const [first, setFirst] = useState<{ starts_at: string; isSoon: boolean }>()
  if (visit && first?.starts_at !== visit.starts_at)
    setFirst({ starts_at: visit.starts_at, isSoon: Date.parse(visit.starts_at) < now + SOON_MS })
  const isSoon = first?.isSoon ?? false
  if (sessions.length === 0 && forms.length === 0 && !visit)
    return (
      <EmptyState
        icon={IconStretching}
        title={t('nothing')}
        text={t('nothingText')}
        action={
          <ButtonLink variant="light" size="md" mt="sm" w="fit-content" to="/$clinic/visits/new" params={{ clinic }}>
            {t('book')}
          </ButtonLink>
        }
      />
    )
  return (
    <Stack gap="xl">
      {visit && isSoon && <NextVisit visit={visit} />}
      {sessions.length > 0 && (
        <Section title={t('sessions')}>
          {sessions.map((session) => (
            <SessionCard key={session.id} session={session} now={now} />
          ))}
        </Section>
      )}
      {forms.length > 0 && (
        <Section title={t('forms')}>
          {forms.map((form) => (
            <Card key={form.id} title={form.title}>
              <Ago value={form.created_at} />
              <ButtonLink
                variant="light"
                size="md"
                mt="sm"
                w="fit-content"
                to="/$clinic/forms/$id"
                params={{ clinic, id: form.id }}
              >
                {form.status === 'pending' ? t('fillIn') : t('goOn')}
              </ButtonLink>
            </Card>
          ))}
        </Section>
      )}
      {visit && !isSoon && <NextVisit visit={visit} />}
    </Stack>
  )
}

/** Service, time and place, translated if the clinic has translations. */
function NextVisit({ visit }: { visit: NonNullable<Today['next_visit']> }) {
  const t = useTranslations('portal')
  const { slug } = useClinic()
  const { name } = useServiceNames(slug)({ name: visit.service_name })
  const Icon = MODE_ICONS[visit.mode]
  return (
    <Section title={t('today.nextVisit')}>
      <Card title={name}>
        <Text component="div" c="var(--mantine-color-text)" fw={600}>
          <VisitTime startsAt={visit.starts_at} />
        </Text>
        {visit.specialist_name && <div>{t('today.with', { name: visit.specialist_name })}</div>}
        <Group gap={6} wrap="nowrap" align="flex-start">
          <Icon size={20} />
          <div>
            {visit.mode === 'in_person'
              ? [visit.location_name ?? t('book.modes.in_person'), ...addressLine(visit.location_address)].join(', ')
              : t(`book.modes.${visit.mode}`)}
          </div>
        </Group>
        <ButtonLink variant="light" size="md" mt="sm" w="fit-content" to="/$clinic/visits" params={{ clinic: slug }}>
          {t('today.seeVisit')}
        </ButtonLink>
      </Card>
    </Section>
  )
}

/** Street and city. */
const addressLine = (address: Record<string, unknown> | null): string[] =>
  [address?.line1, address?.city].filter((part) => typeof part === 'string' && part !== '') as string[]

interface SessionCardProps {
  session: Today['sessions'][number]
  now: number
}

function SessionCard({ session, now }: SessionCardProps) {
  const t = useTranslations('portal.today')
  const { time_zone } = useClinic()
  const { last_run, run_in_progress } = session
  const { ends_on, has_ended } = session.treatment_plan
  const dayOf = (at: string | number) => dayIn(time_zone, new Date(at))
  const isToday = !run_in_progress && last_run && dayOf(last_run.started_at) === dayOf(now)
  const isDone =
    isToday && last_run.status === 'ended_naturally' && last_run.exercises.completed === last_run.exercises.total
  return (
    <Card
      title={session.title}
      badge={
        isDone ? (
          <Badge leftSection={<IconCheck size={14} />}>{t('doneToday')}</Badge>
        ) : (
          <Badge color="gray">{t('exercises', { count: session.exercises_count })}</Badge>
        )
      }
    >
      <LastRun session={session} />
      {has_ended && ends_on && (
        <div>
          {t('planEnded')}: <Day value={ends_on} />
        </div>
      )}
      <StartSession session={session} again={Boolean(isDone)} />
    </Card>
  )
}

function LastRun({ session: { run_in_progress, last_run } }: { session: Today['sessions'][number] }) {
  const t = useTranslations('portal.today')
  if (run_in_progress) return t('inProgress')
  if (!last_run) return t('never')
  return (
    <>
      {t('lastRun', last_run.exercises)}: <Ago value={last_run.started_at} />
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

function Card({ title, badge, children }: { title: string; badge?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={3} size="h4">
          {title}
        </Title>
        {badge}
      </Group>
      <Text component="div" c="dimmed">
        {children}
      </Text>
    </Paper>
  )
}
