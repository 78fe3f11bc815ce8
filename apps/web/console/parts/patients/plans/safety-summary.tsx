import { Button, Group, Stack, Text } from '@mantine/core'
import type { AffectedPlan } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconAlertTriangle, IconBan, IconInfoCircle, IconShieldCheck } from '#ui/icons/index.ts'
import { AffectedPlans } from '../conditions/affected-plans.tsx'
import { ConditionDialog } from '../conditions/condition-dialog.tsx'
import type { Conditions } from './use-conditions.ts'
import type { Safety } from './use-safety.ts'

interface SafetySummaryProps {
  safety: Safety
  conditions: Conditions
  exerciseIds: readonly string[]
}

/** The result of the safety check for the whole plan. Without a known condition nothing was checked, which is no result. */
export function SafetySummary({ safety, conditions, exerciseIds }: SafetySummaryProps) {
  const t = useTranslations('console.plans.safety')
  const [affected, setAffected] = useState<AffectedPlan[]>([])
  const count = (level: string) => exerciseIds.filter((id) => safety.levelOf(id) === level).length
  const [blocks, reasons, notices] = [count('block'), count('reason'), count('notice')]
  const isKnown = conditions.state === 'recorded'
  const lines = () => {
    if (exerciseIds.length === 0) return []
    if (safety.error) return [{ icon: IconAlertTriangle, text: t('failed') }]
    if (safety.isChecking || conditions.state === 'loading') return [{ icon: IconInfoCircle, text: t('checking') }]
    if (blocks > 0) return [{ icon: IconBan, text: t('blocks', { count: blocks }) }]
    if (reasons > 0) return [{ icon: IconAlertTriangle, text: t('reasons', { count: reasons }) }]
    if (notices > 0) return [{ icon: IconInfoCircle, text: t('notices', { count: notices }) }]
    return isKnown ? [{ icon: IconShieldCheck, text: t('clear') }] : []
  }
  return (
    <Stack gap={4} role="status" style={{ flex: '1 1 14rem' }}>
      {lines().map(({ icon: Icon, text }) => (
        <Group key={text} gap="xs" wrap="nowrap">
          <Icon />
          <Text>{text}</Text>
        </Group>
      ))}
      <Unchecked conditions={conditions} onRecorded={setAffected} />
      <AffectedPlans plans={affected} />
    </Stack>
  )
}

interface UncheckedProps {
  conditions: Conditions
  onRecorded: (affected: AffectedPlan[]) => void
}

/** Why exercises are not checked against conditions, and what to do about it. */
function Unchecked({ conditions: { state, retry }, onRecorded }: UncheckedProps) {
  const t = useTranslations('console.plans.safety')
  const tAction = useTranslations('ui.action')
  const [recording, setRecording] = useState(false)
  if (state === 'recorded' || state === 'loading') return null
  return (
    <>
      <Group gap="xs">
        <Group gap="xs" wrap="nowrap" c="dimmed">
          <IconInfoCircle />
          <Text>{t(`unchecked.${state}`)}</Text>
        </Group>
        {state === 'none' && (
          <Button variant="default" onClick={() => setRecording(true)}>
            {t('recordCondition')}
          </Button>
        )}
        {state === 'failed' && (
          <Button variant="default" onClick={retry}>
            {tAction('retry')}
          </Button>
        )}
      </Group>
      <ConditionDialog of={recording ? 'new' : undefined} onClose={() => setRecording(false)} onSaved={onRecorded} />
    </>
  )
}
