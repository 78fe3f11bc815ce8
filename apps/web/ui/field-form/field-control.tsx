import { Checkbox, NativeSelect, Radio, Stack, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { numberOf, shownNumber } from '../form/body.ts'
import type { ShownQuestion } from './translated.ts'

export interface FieldControlProps {
  field: ShownQuestion
  name: string
  value: unknown
  error: string | undefined
  readOnly: boolean
  onChange: (value: unknown) => void
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** One question. The browser's own controls where they are the best on a phone: dates, selects, numbers. */
export function FieldControl({ field, name, value, error, readOnly, onChange }: FieldControlProps) {
  const t = useTranslations('ui.form')
  const common = {
    name,
    label: field.label ?? field.key,
    description: field.help_text ?? undefined,
    error,
    required: field.required === true,
    size: 'md',
  } as const
  const typed = { ...common, value: text(value), readOnly }
  const change = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  const options = (field.options ?? []).map((value) => ({ value, label: field.optionLabels?.[value] ?? value }))

  switch (field.type) {
    case 'textarea':
      return <Textarea {...typed} autosize minRows={3} maxLength={field.max_length ?? undefined} onChange={change} />
    case 'select':
      return (
        <NativeSelect
          {...common}
          value={text(value)}
          disabled={readOnly}
          data={[{ value: '', label: t('choose') }, ...options]}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      )
    case 'radio':
      return (
        <Radio.Group {...common} value={text(value)} onChange={onChange}>
          <Stack gap="sm" mt="xs">
            {options.map((option) => (
              <Radio key={option.value} {...option} disabled={readOnly} />
            ))}
          </Stack>
        </Radio.Group>
      )
    case 'checkbox':
      return (
        <Checkbox.Group {...common} value={Array.isArray(value) ? (value as string[]) : []} onChange={onChange}>
          <Stack gap="sm" mt="xs">
            {options.map((option) => (
              <Checkbox key={option.value} name={name} {...option} disabled={readOnly} />
            ))}
          </Stack>
        </Checkbox.Group>
      )
    case 'number':
      return <NumberControl {...typed} value={value} onChange={onChange} />
    case 'date':
      return (
        <TextInput
          {...typed}
          type="date"
          min={text(field.min)}
          max={text(field.max)}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      )
    case 'email':
      return <TextInput {...typed} type="email" autoComplete="email" onChange={change} />
    case 'phone':
      return <TextInput {...typed} type="tel" autoComplete="tel" onChange={change} />
    case 'file': // FieldForm renders it
    case 'text':
    default:
      return <TextInput {...typed} maxLength={field.max_length ?? undefined} onChange={change} />
  }
}

interface NumberControlProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: unknown
  onChange: (value: unknown) => void
}

function NumberControl({ value, onChange, ...input }: NumberControlProps) {
  const [typed, setTyped] = useState<string>()
  const change = (text: string) => {
    setTyped(text)
    onChange(text.trim() === '' ? null : numberOf(text))
  }
  return (
    <TextInput
      {...input}
      value={shownNumber(typed, value)}
      inputMode="decimal"
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}
