import { ActionIcon, Group, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconTrash } from '#ui/icons/index.ts'
import { endsNextDay } from './hours-text.ts'

interface Window {
  start: string
  end: string
}

interface HoursRowProps {
  /** The path of these hours in the request. */
  name: string
  dayName: string
  hours: Window
  isWrong: (part: keyof Window) => boolean
  onChange: (part: Partial<Window>) => void
  onRemove: () => void
}

/** One start and one end. */
export function HoursRow({ name, dayName, hours, isWrong, onChange, onRemove }: HoursRowProps) {
  const t = useTranslations('console.settings.hours')
  const bind = (part: keyof Window) => ({
    name: `${name}.${part}`,
    type: 'time',
    value: hours[part] === '24:00' ? '00:00' : hours[part],
    error: isWrong(part) ? t('noTime') : undefined,
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [part]: event.currentTarget.value }),
  })
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TextInput {...bind('start')} aria-label={`${dayName}: ${t('from')}`} />
      –
      <TextInput
        {...bind('end')}
        aria-label={`${dayName}: ${t('to')}`}
        description={endsNextDay(hours) ? t('nextDay') : undefined}
        inputWrapperOrder={['input', 'description', 'error']}
      />
      <ActionIcon aria-label={`${t('removePart')}: ${dayName}`} onClick={onRemove}>
        <IconTrash size={18} />
      </ActionIcon>
    </Group>
  )
}
