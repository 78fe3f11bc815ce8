import { Text } from '@mantine/core'
import { useFormatter, useTranslations } from 'use-intl'
import { useNow } from '#ui/format/use-now.ts'
import { Page } from '#ui/frame/page.tsx'
import { useMay } from '#ui/session/me.ts'
import { FirstSteps } from '../../parts/today/first-steps.tsx'
import classes from '../../parts/today/panel.module.css'
import { IncompletePanel, PainPanel } from '../../parts/today/run-panels.tsx'
import { useFirstSteps } from '../../parts/today/use-first-steps.ts'
import { DaysOffPanel, MissedPanel, SignPanel, VisitsPanel } from '../../parts/today/work-panels.tsx'

/** What needs attention today. A new clinic sees its first steps instead. */
export function TodayPage() {
  const t = useTranslations('console.today')
  const format = useFormatter()
  const now = useNow()
  const may = useMay()
  const { steps, hasPatients, begun } = useFirstSteps()
  const seesPatients = may('patients.view_org')
  const seesRuns = seesPatients && may('session_runs.view_org')
  return (
    <Page title={t('title')}>
      <Text c="dimmed" mt="-md">
        {format.dateTime(new Date(now), { weekday: 'long', day: 'numeric', month: 'long' })}
      </Text>
      {!begun && <FirstSteps steps={steps} />}
      {seesPatients && may('appointments.view_org') && may('calendars.view_org') && <DaysOffPanel />}
      {hasPatients && (
        <div className={classes.panels}>
          {seesRuns && <PainPanel />}
          {seesRuns && may('treatment_plans.view_org') && <MissedPanel />}
          {seesPatients && may('appointments.view_org') && <VisitsPanel />}
          {may('forms.sign') && may('forms.view_org') && <SignPanel />}
          {seesRuns && <IncompletePanel />}
        </div>
      )}
    </Page>
  )
}
