import { Stack, Title } from '@mantine/core'
import { type FormValues, valueKeyOf, visibleFields } from '@tendon/contracts/form-values'
import type { FormQuestion } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { FieldControl } from './field-control.tsx'

export interface FieldFormProps {
  fields: readonly FormQuestion[]
  /** By `field_<custom field id>`, or `field_<key>`: `valueKeyOf(field)`. */
  values: FormValues
  onChange: (key: string, value: unknown) => void
  /** Value key → what is wrong, in the person's language. */
  errors?: Readonly<Record<string, string>>
  readOnly?: boolean
  /** Value keys of files that are there. */
  files?: ReadonlySet<string>
  /** The control of a question for a file. */
  renderFile?: (field: FormQuestion, key: string) => ReactNode
  /** The person who fills it in is the patient: what only staff changes cannot be changed. */
  asPatient?: boolean
}

const NO_FILES: ReadonlySet<string> = new Set()

/** Questions as controls: custom fields, profiles, forms and settings of connections are all this. Sections become headings. */
export function FieldForm(props: FieldFormProps) {
  const { fields, values, onChange, errors = {}, files = NO_FILES, renderFile } = props
  const shown = visibleFields(fields, values, files)
  return (
    <Stack gap="lg">
      {shown.map((field, index) => {
        const key = valueKeyOf(field)
        const section = field.section && field.section !== shown[index - 1]?.section ? field.section : undefined
        return (
          <Stack key={key} gap="lg">
            {section && <Title order={2}>{section}</Title>}
            {field.type === 'file' ? (
              renderFile?.(field, key)
            ) : (
              <FieldControl
                field={field}
                name={key}
                value={values[key]}
                error={errors[key]}
                readOnly={props.readOnly === true || (props.asPatient === true && field.read_only === true)}
                onChange={(value) => onChange(key, value)}
              />
            )}
          </Stack>
        )
      })}
    </Stack>
  )
}
