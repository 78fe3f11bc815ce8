import { Alert, Anchor, Stack, Text } from '@mantine/core'
import type { RunPayload } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { TelephoneLink } from '#ui/format/telephone-link.tsx'
import { IconAlertCircle } from '#ui/icons/index.ts'
import { WARNING_SIGNS, type WarningSign } from '../run/warning-sign.ts'
import classes from './choice-row.module.css'

interface WarningSignsProps {
  chosen: readonly WarningSign[]
  onChange: (chosen: WarningSign[]) => void
}

/** Signs that the patient may choose. The product recognises none on its own. */
export function WarningSigns({ chosen, onChange }: WarningSignsProps) {
  const t = useTranslations('portal.warningSigns')
  return (
    <fieldset className={classes.row}>
      <legend>{t('question')}</legend>
      <Text c="dimmed" mb="xs">
        {t('hint')}
      </Text>
      <div className={classes.choices} data-wide>
        {WARNING_SIGNS.map((sign) => (
          <label key={sign} className={classes.choice}>
            <input
              type="checkbox"
              checked={chosen.includes(sign)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...chosen, sign] : chosen.filter((one) => one !== sign))
              }
            />
            <span>{t(`signs.${sign}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Shown as soon as a sign is chosen, before anything is sent and without a connection. */
export function WarningAdvice({ help: { phone, emergency_number: number } }: { help: RunPayload['help'] }) {
  const t = useTranslations('portal.warningSigns')
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertCircle />} title={t('stop')}>
      <Stack gap="xs">
        <Text>{t('call', { number })}</Text>
        <Anchor href={`tel:${number}`} fw={700} size="lg">
          {t('callEmergency', { number })}
        </Anchor>
        {phone !== null && (
          <TelephoneLink phone={phone} fw={600}>
            {t('callClinic', { phone })}
          </TelephoneLink>
        )}
        <Text size="sm">{t('unwatched')}</Text>
      </Stack>
    </Alert>
  )
}
