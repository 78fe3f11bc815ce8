import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'

const MUCH_PAIN = 6

/** The worst pain of a session. */
export function Pain({ value }: { value: number | null }) {
  const t = useTranslations('console.today')
  if (value === null) return t('noPain')
  return (
    <Badge
      {...(value >= MUCH_PAIN
        ? { color: 'red.9', variant: 'filled' }
        : { color: value > 0 ? 'orange' : 'gray', variant: 'dot' })}
      style={{ flex: 'none' }}
    >
      {t('painValue', { pain: value })}
    </Badge>
  )
}
