import { Stack } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Conflict } from '../feedback/conflict.tsx'
import { Problem } from '../feedback/problem.tsx'
import { staleOf } from '../feedback/stale.ts'
import { useUnsavedGuard } from '../feedback/use-unsaved-guard.ts'
import { isSame } from './answer-rules.ts'
import { FieldForm } from './field-form.tsx'
import { focusFirstProblem, useFieldProblems, wrongTypeOf } from './field-problems.ts'
import { shownAnswer } from './shown-value.ts'
import { SubmitButtons } from './submit-buttons.tsx'
import type { ShownQuestion } from './translated.ts'

type Values = Record<string, unknown>

export interface VersionedFieldsProps {
  fields: readonly ShownQuestion[]
  /** By `field_<key>`. */
  values: Values
  /** As they are stored. */
  stored: Values
  onChange: (change: (before: Values) => Values) => void
  write: { isPending: boolean; error: ApiError | null; reset: () => void }
  version: number
  onSave: (version: number) => void
  /** The values of a row of the API. */
  valuesOf: (row: Record<string, unknown>) => Values
  /** The person takes what somebody else saved. */
  onTheirs: (values: Values, version: number) => void
  /** Field → a text for its problem that says more than the general one. */
  problemTexts?: Readonly<Record<string, string>>
  heading?: ReactNode
  /** What would be lost by leaving. Left out: what was typed. */
  leaveText?: string
  readOnly?: boolean
  disabled?: boolean
  onCancel?: () => void
}

/** Fields of something that others may change at the same time: problems beside the fields, and a choice after a conflict. */
export function VersionedFields(props: VersionedFieldsProps) {
  const { fields, values, onChange, write, version, onSave, valuesOf, onTheirs, problemTexts, readOnly = false } = props
  const tReasons = useTranslations('ui.reasons')
  const problems = useFieldProblems()(write.error)
  const problemOf = (key: string, text: string): string => {
    const own = problemTexts?.[key]
    if (own !== undefined || write.error?.reasons[key]?.code !== 'type') return own ?? text
    const isNumber = fields.some((field) => field.key === key && field.type === 'number')
    return tReasons(wrongTypeOf(values[`field_${key}`], isNumber))
  }
  const stale = staleOf(write.error)
  const theirs = stale && valuesOf(stale.current)
  const isNamed = fields.some(({ key }) => key in problems)
  useUnsavedGuard(!readOnly && !write.isPending && !isSame(values, props.stored), { text: () => props.leaveText })
  useEffect(() => {
    if (write.error) focusFirstProblem(Object.keys(write.error.fields).map((key) => `field_${key}`))
  }, [write.error])

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!props.disabled) onSave(version)
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        {props.heading}
        <FieldForm
          fields={fields}
          values={values}
          errors={Object.fromEntries(
            Object.entries(problems).map(([key, text]) => [`field_${key}`, problemOf(key, text)]),
          )}
          readOnly={readOnly}
          onChange={(key, value) => onChange((before) => ({ ...before, [key]: value }))}
        />
        <Problem error={stale || isNamed ? null : write.error} />
        {!readOnly && (
          <SubmitButtons
            write={write}
            disabled={props.disabled ?? false}
            {...(props.onCancel ? { onCancel: props.onCancel } : {})}
          />
        )}
      </Stack>
      <Conflict
        stale={stale}
        differences={fields
          .filter((field) => theirs && shownAnswer(field, theirs) !== shownAnswer(field, values))
          .map((field) => ({
            label: field.label ?? field.key,
            theirs: theirs ? shownAnswer(field, theirs) : '',
            mine: shownAnswer(field, values),
          }))}
        onTheirs={() => {
          if (stale && theirs) onTheirs(theirs, stale.version)
          write.reset()
        }}
        onMine={() => stale && onSave(stale.version)}
        onClose={() => write.reset()}
      />
    </form>
  )
}
