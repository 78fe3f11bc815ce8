import { Button, Group, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { ActionConflict } from '#ui/feedback/action-conflict.tsx'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { ButtonLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { type End, EndPlan } from './end-plan.tsx'
import type { PlanEdits } from './plan-builder.tsx'

/** Copy, complete, archive and delete. What cannot be undone asks first. */
export function PlanActions({ edits: { plan, isDirty, isSaving, show, save } }: { edits: PlanEdits }) {
  const t = useTranslations('console.plans')
  const { slug } = useClinic()
  const params = { clinic: slug, id: useParams({ from: '/$clinic/patients/$id' }).id }
  const navigate = useNavigate()
  const [asking, setAsking] = useState<End | 'deleted'>()
  const { id, status, version } = plan
  const refresh = ['/v1/treatment-plans']
  const change = useWrite('PUT /v1/treatment-plans/{id}/status', {
    refresh,
    onDone: ({ data }) => {
      show(data)
      toast({ text: t(data.status === 'completed' ? 'completed' : 'archived') })
    },
  })
  const remove = useWrite('DELETE /v1/treatment-plans/{id}', {
    onDone: () => {
      toast({ text: t('deleted') })
      void navigate({ to: '/$clinic/patients/$id/plans', params, ignoreBlocker: true })
    },
  })
  const end = async (to: End, unsaved: 'none' | 'save' | 'drop') => {
    // The dialog is closed first: it would keep the focus from a field that is refused.
    flushSync(() => setAsking(undefined))
    const stored = unsaved === 'save' ? await save() : plan
    if (stored) change.mutate({ params: { id }, body: { status: to, version: stored.version } })
  }
  const deleteDraft = (ifMatch: number) => remove.mutate({ params: { id }, ifMatch })
  const close = () => setAsking(undefined)
  return (
    <Stack gap="xs" align="flex-end" className="no-print">
      <Group gap="xs">
        <ButtonLink variant="default" to="/$clinic/patients/$id/plans/new" params={params} search={{ copy: id }}>
          {t('copy')}
        </ButtonLink>
        {status === 'active' && (
          <Button variant="default" loading={change.isPending || isSaving} onClick={() => setAsking('completed')}>
            {t('complete')}
          </Button>
        )}
        {(status === 'active' || status === 'completed') && (
          <Button variant="default" loading={change.isPending || isSaving} onClick={() => setAsking('archived')}>
            {t('archive')}
          </Button>
        )}
        {status === 'draft' && (
          <Button variant="default" loading={remove.isPending || isSaving} onClick={() => setAsking('deleted')}>
            {t('delete')}
          </Button>
        )}
      </Group>
      <Problem error={[change.error, remove.error].find((error) => error && !staleOf(error))} />
      <EndPlan
        end={asking === 'deleted' ? undefined : asking}
        plan={plan}
        isDirty={isDirty}
        onEnd={(to, unsaved) => void end(to, unsaved)}
        onClose={close}
      />
      <Confirm
        open={asking === 'deleted'}
        title={t('deleteAsk')}
        text={t('deleteText')}
        action={t('delete')}
        danger
        onConfirm={() => {
          close()
          deleteDraft(version)
        }}
        onClose={close}
      />
      <ActionConflict
        write={change}
        refresh={refresh}
        onAnyway={(current) =>
          change.variables && change.mutate({ params: { id }, body: { ...change.variables.body, version: current } })
        }
      />
      <ActionConflict write={remove} refresh={refresh} onAnyway={deleteDraft} />
    </Stack>
  )
}
