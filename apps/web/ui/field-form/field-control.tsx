import { Checkbox, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { useTranslations } from 'use-intl'
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
      return (
        <TextInput {...typed} inputMode="decimal" onChange={(event) => onChange(numberOf(event.currentTarget.value))} />
      )
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

/** What is typed so far stays as text until it is a number: "1." must not become "1". */
function numberOf(typed: string): unknown {
  const plain = typed.trim().replace(',', '.')
  if (plain === '') return null
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : typed
}
