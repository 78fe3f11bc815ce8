import { Button, Group } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useCountdown } from '../feedback/problem.tsx'

interface SubmitButtonsProps {
  write: { isPending: boolean; error: ApiError | null }
  /** The verb, such as "Create". Default: "Save". */
  label?: string
  onCancel?: () => void
  /** 'md' on a phone. */
  size?: 'sm' | 'md'
  disabled?: boolean
  /** The id of the form, where the buttons are outside it. */
  form?: string
}

/** The end of a form. After a 429 or 503 the button counts down. */
export function SubmitButtons({ write, label, onCancel, size = 'sm', disabled = false, form }: SubmitButtonsProps) {
  const t = useTranslations('ui.action')
  const wait = useCountdown(write.error)
  const text = label ?? t('save')
  return (
    <Group justify="flex-end" {...(size === 'md' ? { className: 'phone-wide' } : {})}>
      {onCancel && (
        <Button variant="default" size={size} onClick={onCancel}>
          {t('cancel')}
        </Button>
      )}
      <Button
        type="submit"
        {...(form === undefined ? {} : { form })}
        size={size}
        loading={write.isPending}
        disabled={disabled || wait > 0}
      >
        {wait > 0 ? `${text} (${wait})` : text}
      </Button>
    </Group>
  )
}
