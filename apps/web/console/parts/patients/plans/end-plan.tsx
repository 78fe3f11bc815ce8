import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { TreatmentPlan } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Instant } from '#ui/format/time.tsx'
import { IconAlertTriangle } from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'

export type End = 'completed' | 'archived'

interface EndPlanProps {
  /** What is asked for; undefined: the dialog is closed. */
  end: End | undefined
  plan: TreatmentPlan
  /** Whether the editor has changes that are not saved. */
  isDirty: boolean
  onEnd: (end: End, edits: 'none' | 'save' | 'drop') => void
  onClose: () => void
}

/** Asks before a plan is completed or archived: what ends, who is in a session now, and what happens to unsaved changes. */
export function EndPlan({ end, plan, isDirty, onEnd, onClose }: EndPlanProps) {
  const t = useTranslations('console.plans')
  const tAction = useTranslations('ui.action')
  if (end === undefined) return null
  const wasActive = plan.status === 'active'
  return (
    <Dialog open title={t(`end.${end}.title`)} onClose={onClose}>
      <Stack gap="sm">
        <Text>{t(wasActive ? `end.${end}.text` : 'end.archived.completedText')}</Text>
        {wasActive && <Running planId={plan.id} />}
        <Text>{t('end.final')}</Text>
        {isDirty && (
          <Alert color="orange" variant="outline" icon={<IconAlertTriangle />}>
            <Text fw={600}>{t('end.unsaved')}</Text>
            <Text>{t('end.unsavedText')}</Text>
          </Alert>
        )}
      </Stack>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {tAction('cancel')}
        </Button>
        {isDirty ? (
          <>
            <Button variant="default" onClick={() => onEnd(end, 'drop')}>
              {t(`end.${end}.drop`)}
            </Button>
            <Button onClick={() => onEnd(end, 'save')}>{t(`end.${end}.save`)}</Button>
          </>
        ) : (
          <Button color="red.9" onClick={() => onEnd(end, 'none')}>
            {t(end === 'completed' ? 'complete' : 'archive')}
          </Button>
        )}
      </Group>
    </Dialog>
  )
}

const REFRESH_MS = 10_000

/** The sessions in progress, as far as they are known. They can be finished: the API ends no run with its plan. */
function Running({ planId }: { planId: string }) {
  const t = useTranslations('console.plans.end')
  const runs = useList(
    'GET /v1/session-runs',
    { query: { treatment_plan_id: planId, status: 'in_progress' } },
    { enabled: useMay()('session_runs.view_org'), keepPrevious: false, staleTime: 0, refreshEvery: REFRESH_MS },
  )
  if (!runs.data) return <Text>{t('maybeRunning')}</Text>
  if (runs.data.total === 0) return <Text>{t('notRunning')}</Text>
  return runs.data.items.map((run) => (
    <Text key={run.id} fw={600}>
      {t('running', { name: run.patient.name, session: run.session_title })} <Instant value={run.started_at} />.{' '}
      {t('runningText')}
    </Text>
  ))
}
