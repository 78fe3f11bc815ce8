import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'

const MUCH_PAIN = 6

/** The worst pain of a session. */
export function Pain({ value }: { value: number | null }) {
  const t = useTranslations('console.today')
  if (value === null) return t('noPain')
  return (
    <Badge color={value >= MUCH_PAIN ? 'red.9' : 'gray.7'} variant="filled" style={{ flex: 'none' }}>
      {t('painValue', { pain: value })}
    </Badge>
  )
}
