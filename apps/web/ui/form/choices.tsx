import { Checkbox, Radio, Stack } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import type { ReactNode } from 'react'

interface ChoicesProps<Value> {
  name: string
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: string; label: string }[]
}

/** Any number of choices: `{...form.choices('modes')}`. */
export function CheckChoices({ options, disabled = false, ...group }: ChoicesProps<string[]>) {
  return (
    <Checkbox.Group {...group} size="md">
      <Stack gap="sm" mt="xs">
        {options.map((option) => (
          <Checkbox key={option.value} name={group.name} {...option} disabled={disabled} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

/** One choice: `{...form.radio('status')}` or `{...form.yesNo('is_public')}`. */
export function RadioChoices({ options, disabled = false, ...group }: ChoicesProps<string>) {
  return (
    <Radio.Group {...group} size="md">
      <Stack gap="sm" mt="xs">
        {options.map((option) => (
          <Radio key={option.value} {...option} disabled={disabled} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
