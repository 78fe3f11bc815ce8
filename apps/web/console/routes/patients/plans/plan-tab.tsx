import { Alert, Badge, Group, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { TreatmentPlan } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { PlanActions } from '../../../parts/patients/plans/plan-actions.tsx'
import { PlanBuilder, type PlanEdits } from '../../../parts/patients/plans/plan-builder.tsx'
import { draftOf, isOpen } from '../../../parts/patients/plans/plan-draft.ts'

/** One plan. Drafts and active plans can be edited. */
export function PlanTab() {
  const plan = useRead('GET /v1/treatment-plans/{id}', {
    params: { id: useParams({ from: '/$clinic/patients/$id/plans/$planId' }).planId },
  })
  return <Loaded query={plan}>{({ data }) => <OnePlan key={data.id} plan={data} />}</Loaded>
}

function OnePlan({ plan }: { plan: TreatmentPlan }) {
  const t = useTranslations('console.plans')
  return (
    <PlanBuilder
      patientId={useParams({ from: '/$clinic/patients/$id' }).id}
      initial={draftOf(plan)}
      plan={plan}
      mayChange={useMay()('treatment_plans.manage')}
      header={Header}
      onDone={(_, outcome) => toast({ text: t(outcome) })}
    />
  )
}

function Header({ edits }: { edits: PlanEdits }) {
  const t = useTranslations('console.plans')
  const tPatients = useTranslations('console.patients')
  const { slug } = useClinic()
  const patientId = useParams({ from: '/$clinic/patients/$id' }).id
  const mayChange = useMay()('treatment_plans.manage')
  const { plan } = edits
  return (
    <>
      <Group justify="space-between">
        <Group gap="sm">
          <TextLink to="/$clinic/patients/$id/plans" params={{ clinic: slug, id: patientId }} className="no-print">
            {t('back')}
          </TextLink>
          <Badge variant={plan.status === 'active' ? 'filled' : 'default'}>
            {tPatients(`planStatus.${plan.status}`)}
          </Badge>
          {plan.has_ended && isOpen(plan) && <Badge variant="outline">{tPatients('planEnded')}</Badge>}
          <Text size="sm" c="dimmed">
            {t('version', { version: plan.version })}
          </Text>
        </Group>
        {mayChange && <PlanActions edits={edits} />}
      </Group>
      {!isOpen(plan) && (
        <Alert color="gray" variant="outline">
          {t('closed')}
        </Alert>
      )}
    </>
  )
}
