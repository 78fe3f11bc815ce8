import { Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'

/** Long work: how far it is. Without `done` it only says that it goes on. */
export function WorkProgress({ label, done }: { label: string; done?: number | undefined }) {
  const t = useTranslations('ui.frame')
  const percent = done === undefined ? 100 : Math.round(done * 100)
  return (
    <Stack gap={6} role="status">
      <Group justify="space-between">
        <Text>{label}</Text>
        <Text c="dimmed">{done === undefined ? t('loading') : `${percent} %`}</Text>
      </Group>
      <Progress value={percent} animated={done === undefined} aria-label={label} />
    </Stack>
  )
}
