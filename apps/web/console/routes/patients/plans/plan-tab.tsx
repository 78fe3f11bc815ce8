import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { TreatmentPlan } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '../../../../ui/api/hooks.ts'
import { ActionConflict } from '../../../../ui/feedback/action-conflict.tsx'
import { Loaded } from '../../../../ui/feedback/loading.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { staleOf } from '../../../../ui/feedback/stale.ts'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { useParam } from '../../../../ui/frame/use-param.ts'
import { useClinic } from '../../../../ui/session/clinic.tsx'
import { useMay } from '../../../../ui/session/me.ts'
import { PlanBuilder } from './plan-builder.tsx'
import { draftOf } from './plan-draft.ts'

/** One plan. Drafts and active plans can be edited. */
export function PlanTab() {
  const plan = useRead('GET /v1/treatment-plans/{id}', { params: { id: useParam('planId') } })
  return <Loaded query={plan}>{({ data }) => <OnePlan key={`${data.id} ${data.status}`} plan={data} />}</Loaded>
}

function OnePlan({ plan }: { plan: TreatmentPlan }) {
  const t = useTranslations('console.plans')
  const tPatients = useTranslations('console.patients')
  const { slug } = useClinic()
  const patientId = useParam('id')
  const mayChange = useMay()('treatment_plans.manage')
  const isOpen = plan.status === 'draft' || plan.status === 'active'
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="sm">
          <Anchor component={Link} to={`/${slug}/patients/${patientId}/plans`} className="no-print">
            {t('back')}
          </Anchor>
          <Badge variant={plan.status === 'active' ? 'filled' : 'default'}>
            {tPatients(`planStatus.${plan.status}`)}
          </Badge>
          <Text size="sm" c="dimmed">
            {t('version', { version: plan.version })}
          </Text>
        </Group>
        {mayChange && <PlanActions plan={plan} />}
      </Group>
      {!isOpen && (
        <Alert color="gray" variant="outline">
          {t('closed')}
        </Alert>
      )}
      <PlanBuilder
        patientId={patientId}
        initial={draftOf(plan)}
        plan={plan}
        readOnly={!isOpen || !mayChange}
        onDone={(_, outcome) => toast({ text: t(outcome) })}
      />
    </Stack>
  )
}

function PlanActions({ plan: { id, status, version } }: { plan: TreatmentPlan }) {
  const t = useTranslations('console.plans')
  const { slug } = useClinic()
  const at = `/${slug}/patients/${useParam('id')}/plans`
  const navigate = useNavigate()
  const refresh = ['/v1/treatment-plans']
  const change = useWrite('PUT /v1/treatment-plans/{id}/status', {
    refresh,
    onDone: ({ data }) => toast({ text: t(data.status === 'completed' ? 'completed' : 'archived') }),
  })
  const remove = useWrite('DELETE /v1/treatment-plans/{id}', {
    onDone: () => {
      toast({ text: t('deleted') })
      void navigate({ to: at, ignoreBlocker: true })
    },
  })
  return (
    <Stack gap="xs" align="flex-end" className="no-print">
      <Group gap="xs">
        <Button variant="default" component={Link} to={`${at}/new`} search={{ copy: id } as never}>
          {t('copy')}
        </Button>
        {status === 'active' && (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ params: { id }, body: { status: 'completed', version } })}
          >
            {t('complete')}
          </Button>
        )}
        {(status === 'active' || status === 'completed') && (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ params: { id }, body: { status: 'archived', version } })}
          >
            {t('archive')}
          </Button>
        )}
        {status === 'draft' && (
          <Button
            variant="default"
            loading={remove.isPending}
            onClick={() => remove.mutate({ params: { id }, ifMatch: version })}
          >
            {t('delete')}
          </Button>
        )}
      </Group>
      <Problem error={[change.error, remove.error].find((error) => error && !staleOf(error))} />
      <ActionConflict
        write={change}
        refresh={refresh}
        onAnyway={(current) =>
          change.variables && change.mutate({ params: { id }, body: { ...change.variables.body, version: current } })
        }
      />
      <ActionConflict
        write={remove}
        refresh={refresh}
        onAnyway={(current) => remove.mutate({ params: { id }, ifMatch: current })}
      />
    </Stack>
  )
}
