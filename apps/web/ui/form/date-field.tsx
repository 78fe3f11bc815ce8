import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTimeZone, useTranslations } from 'use-intl'
import { dayIn } from '../format/dates.ts'
import { typedDay, writtenDay } from '../format/typed-date.ts'
import { useFormats } from '../format/use-formats.ts'
import { viewerZone } from '../i18n/i18n.tsx'
import { IconCalendar } from '../icons/index.ts'
import classes from './date-field.module.css'

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** `YYYY-MM-DD`, empty, or what was typed and is no day. */
  value: string
  onChange: (event: { currentTarget: { value: string } }) => void
}

/** A day, typed and shown as the clinic writes it ("17.11", "1711"), or chosen in the browser's calendar. */
export function DateField({ value, onChange, error, readOnly = false, ...input }: DateFieldProps) {
  const t = useTranslations('ui.dateField')
  const { date: order } = useFormats()
  const [now] = useState(() => new Date())
  const today = dayIn(useTimeZone() ?? viewerZone(), now)
  const [typed, setTyped] = useState<string>()
  const calendar = useRef<HTMLInputElement>(null)
  const isDay = value === '' || typedDay(value, order, today) === value
  const tell = (day: string) => onChange({ currentTarget: { value: day } })

  function type({ currentTarget: { value: text } }: ChangeEvent<HTMLInputElement>): void {
    setTyped(text)
    tell(text.trim() === '' ? '' : (typedDay(text, order, today) ?? text))
  }
  return (
    <div className={classes.field}>
      <TextInput
        inputMode="numeric"
        autoComplete="off"
        placeholder={t(`orders.${order}`)}
        {...input}
        readOnly={readOnly}
        value={typed ?? writtenDay(value, order)}
        error={error ?? (!isDay && typed === undefined && t('noDay', { example: writtenDay(today, order) }))}
        onChange={type}
        onBlur={(event) => {
          setTyped(undefined)
          input.onBlur?.(event)
        }}
        rightSection={
          !readOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              tabIndex={-1}
              aria-label={t('choose')}
              onClick={() => calendar.current?.showPicker()}
            >
              <IconCalendar size={18} />
            </ActionIcon>
          )
        }
      />
      <input
        ref={calendar}
        type="date"
        className={classes.calendar}
        tabIndex={-1}
        aria-hidden
        value={isDay ? value : ''}
        onChange={(event) => {
          setTyped(undefined)
          tell(event.currentTarget.value)
        }}
      />
    </div>
  )
}
