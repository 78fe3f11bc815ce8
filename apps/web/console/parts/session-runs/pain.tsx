import { Badge, Group } from '@mantine/core'
import type { ClinicRun } from '@tendon/sdk'
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

/** The worst pain of a session, and whether the patient reported a warning sign. */
export function Felt({ run: { worst_pain, warning } }: { run: ClinicRun }) {
  const t = useTranslations('console.today')
  return (
    <Group gap="xs">
      {warning && (
        <Badge color="red.9" variant="filled">
          {t('warningSign')}
        </Badge>
      )}
      <Pain value={worst_pain} />
    </Group>
  )
}
