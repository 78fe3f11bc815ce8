import { Badge, Button, Stack, Text, Title } from '@mantine/core'
import { Link, type LinkProps, linkOptions, useParams } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWholeList } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeletons } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { translatedTitle } from '#ui/field-form/translated.ts'
import { Instant } from '#ui/format/time.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import type { IconProps } from '#ui/icons/icon.tsx'
import { IconActivity, IconCalendarEvent, IconClipboardCheck, IconStretching } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { statusColor } from '../../parts/appointments/visit-status.ts'
import { FormState } from '../../parts/patients/forms/corrections.tsx'
import { WritePlanButton } from '../../parts/patients/plans/write-plan-button.tsx'
import classes from '../../parts/patients/timeline.module.css'
import { Pain } from '../../parts/session-runs/pain.tsx'
import { runLink } from '../../parts/session-runs/run-link.ts'

interface TimelineEntry {
  key: string
  at: string
  icon: ComponentType<IconProps>
  title: string
  link: LinkProps
  /** It will not happen, so it is not upcoming. */
  cancelled?: boolean
  mark?: ReactNode
}

const STEP = 50

/** Plans, sessions, forms and visits, newest first. */
export function TimelineTab() {
  const t = useTranslations('console.record.timeline')
  const { entries, waiting, failed } = useTimeline()
  const [shown, setShown] = useState(STEP)
  const now = new Date(useNow()).toISOString()
  if (failed) return <Problem error={failed.error} onRetry={() => void failed.refetch()} />
  if (waiting) return <Skeletons rows={6} height={56} />
  const coming = entries.filter(({ at, cancelled }) => at > now && !cancelled).toReversed()
  const past = entries.filter(({ at }) => at <= now)
  if (coming.length + past.length === 0)
    return <EmptyState icon={IconActivity} title={t('empty')} text={t('emptyText')} action={<WritePlanButton />} />
  return (
    <Stack gap="lg">
      {coming.length > 0 && <Entries label={t('coming')} entries={coming} />}
      {past.length > 0 && <Entries label={t('title')} entries={past.slice(0, shown)} />}
      {past.length > shown && (
        <Button variant="default" w="fit-content" onClick={() => setShown(shown + STEP)}>
          {t('older')}
        </Button>
      )}
    </Stack>
  )
}

function Entries({ label, entries }: { label: string; entries: readonly TimelineEntry[] }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Title order={2} size="h4" mb="xs" id={heading}>
        {label}
      </Title>
      <ol className={classes.timeline}>
        {entries.map(({ key, at, icon: Icon, title, link, mark }) => (
          <li key={key} className={classes.happening}>
            <span className={classes.icon}>
              <Icon size={18} />
            </span>
            <Link {...link} className={classes.link}>
              <span className={classes.words}>
                <Text fw={600} component="span">
                  {title}
                </Text>
                <Text size="sm" c="dimmed" component="span">
                  <Instant value={at} weekday />
                </Text>
              </span>
              {mark}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

function useTimeline() {
  const { language } = useLanguage()
  const serviceName = useServiceName()
  const t = useTranslations('console.record')
  const tPlans = useTranslations('console.patients.planStatus')
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const { slug } = useClinic()
  const may = useMay()
  const at = { clinic: slug, id }
  const patient = useRead('GET /v1/patients/{id}', { params: { id } })
  const of = { patient_id: id }
  const runs = useWholeList(
    'GET /v1/session-runs',
    { query: { ...of, sort: '-started_at' } },
    { enabled: may('session_runs.view_org') },
  )
  const plans = useWholeList('GET /v1/treatment-plans', { query: of }, { enabled: may('treatment_plans.view_org') })
  const visits = useWholeList(
    'GET /v1/appointments',
    { query: { ...of, sort: '-starts_at', include: 'service' } },
    { enabled: may('appointments.view_org') },
  )
  const forms = useWholeList(
    'GET /v1/forms',
    { query: { patient_profile_id: patient.data?.data.patient_profile_id ?? '' } },
    { enabled: patient.data !== undefined && may('forms.view_org') },
  )
  const entries: TimelineEntry[] = [
    ...(runs.data?.items ?? []).map((run) => ({
      key: run.id,
      at: run.started_at,
      icon: IconActivity,
      title: t('timeline.run', { title: run.session_title }),
      link: runLink(slug, run),
      mark: run.worst_pain === null ? null : <Pain value={run.worst_pain} />,
    })),
    ...(plans.data?.items ?? []).map((plan) => ({
      key: plan.id,
      at: plan.activated_at ?? plan.created_at,
      icon: IconStretching,
      title: t(plan.activated_at === null ? 'timeline.draft' : 'timeline.plan', { title: plan.title }),
      link: linkOptions({ to: '/$clinic/patients/$id/plans/$planId', params: { ...at, planId: plan.id } }),
      mark: <Badge variant="default">{tPlans(plan.status)}</Badge>,
    })),
    ...(forms.data?.items ?? []).map((form) => ({
      key: form.id,
      at: form.signed_at ?? form.completed_at ?? form.created_at,
      icon: IconClipboardCheck,
      title: t('timeline.form', { title: translatedTitle(form, language) }),
      link: linkOptions({ to: '/$clinic/patients/$id/forms/$formId', params: { ...at, formId: form.id } }),
      mark: <FormState form={form} />,
    })),
    ...(visits.data?.items ?? []).map((visit) => ({
      key: visit.id,
      at: visit.starts_at ?? visit.created_at,
      icon: IconCalendarEvent,
      title: t('timeline.visit', { title: serviceName(visit.service) ?? visit.title ?? '' }),
      link: linkOptions({ to: '/$clinic/patients/$id/appointments', params: at, search: { visit: visit.id } }),
      cancelled: visit.status === 'cancelled' || visit.status === 'entered_in_error',
      mark: (
        <Badge variant="dot" color={statusColor(visit.status)}>
          {visit.rescheduled_to_id === null ? t(`appointments.statuses.${visit.status}`) : t('appointments.movedAway')}
        </Badge>
      ),
    })),
  ]
  const reads = [patient, runs, plans, visits, forms]
  return {
    entries: entries.toSorted((a, b) => (a.at < b.at ? 1 : -1)),
    waiting: reads.some(({ isLoading }) => isLoading),
    /** A read that failed: without it the patient would seem to have no such events. */
    failed: reads.find(({ data, error }) => data === undefined && error !== null),
  }
}
