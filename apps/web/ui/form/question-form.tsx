import { Stack } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import type { ReactNode, SyntheticEvent } from 'react'
import { Problem } from '../feedback/problem.tsx'
import { FieldControl } from '../field-form/field-control.tsx'
import { shownAnswer } from '../field-form/shown-value.ts'
import { SubmitButtons } from '../field-form/submit-buttons.tsx'
import type { ShownQuestion } from '../field-form/translated.ts'
import { valueAt } from './body.ts'
import { type ConflictingForm, FormConflict } from './form-conflict.tsx'

interface QuestionFormProps {
  form: ConflictingForm & {
    isDirty: boolean
    problem: ApiError | null
    question: (path: string) => {
      name: string
      value: unknown
      error: string | undefined
      onChange: (value: unknown) => void
    }
  }
  write: { isPending: boolean; error: ApiError | null }
  onSubmit: (event: SyntheticEvent) => void
  /** The key of a question is its path in the body. */
  fields: readonly ShownQuestion[]
  heading?: ReactNode
  readOnly: boolean
}

/** A form of `useApiForm` whose fields the clinic defines. */
export function QuestionForm({ form, write, onSubmit, fields, heading, readOnly }: QuestionFormProps) {
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {heading}
        <Stack gap="lg">
          {fields.map((field) => (
            <FieldControl key={field.key} field={field} {...form.question(field.key)} readOnly={readOnly} />
          ))}
        </Stack>
        <Problem error={form.problem} />
        {!readOnly && <SubmitButtons write={write} disabled={!form.isDirty} />}
      </Stack>
      <FormConflict
        form={form}
        rows={fields.map((field) => ({
          label: field.label ?? field.key,
          shown: (values) => shownAnswer(field, valueAt(values, field.key)),
        }))}
      />
    </form>
  )
}
