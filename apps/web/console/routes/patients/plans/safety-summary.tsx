import { Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconAlertTriangle, IconBan, IconShieldCheck } from '../../../../ui/icons/index.ts'
import type { Safety } from './use-safety.ts'

/** One line with the result of the safety check for the whole plan. */
export function SafetySummary({ safety, exerciseIds }: { safety: Safety; exerciseIds: readonly string[] }) {
  const t = useTranslations('console.plans.safety')
  const count = (level: string) => exerciseIds.filter((id) => safety.levelOf(id) === level).length
  const [blocks, reasons] = [count('block'), count('reason')]
  const Icon = blocks > 0 ? IconBan : reasons > 0 ? IconAlertTriangle : IconShieldCheck
  const text = () => {
    if (safety.error) return t('failed')
    if (safety.isChecking) return t('checking')
    if (blocks > 0) return t('blocks', { count: blocks })
    return reasons > 0 ? t('reasons', { count: reasons }) : t('clear')
  }
  return (
    <Group gap="xs" wrap="nowrap" role="status" style={{ flex: '1 1 14rem' }}>
      {exerciseIds.length > 0 && (
        <>
          <Icon />
          <Text>{text()}</Text>
        </>
      )}
    </Group>
  )
}
