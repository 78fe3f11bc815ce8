import type { ApiError } from '@tendon/sdk'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useUnsavedGuard } from '../feedback/use-unsaved-guard.ts'
import { focusFirstProblem, useFieldProblems } from './field-problems.ts'

interface Write {
  error: ApiError | null
  isPending: boolean
  isSuccess: boolean
  reset: () => void
}

interface ApiFormOptions {
  /** Something beside the fields was changed. */
  isMoreChanged?: boolean
  /** False: leaving is what the page offers, so typed text is given up without a question. */
  isGuarded?: boolean
  /** A step within the page, by its query, keeps the fields. */
  isKeptInSteps?: boolean
}

const NOTHING_EDITED = { since: null, names: new Set<string>() }

/**
 * The values of a form whose fields are named as the API names them. After a 422 the problems stand at their fields, and the
 * focus is on the first. Asks before typed text is lost. `bind('name')` goes onto a Mantine input.
 */
export function useApiForm<Values extends Record<string, string>>(
  initial: Values,
  write: Write,
  { isMoreChanged = false, isGuarded = true, isKeptInSteps = false }: ApiFormOptions = {},
) {
  const [values, setValues] = useState(initial)
  // Fields that were changed since this refusal: their problems are old news.
  const [edited, setEdited] = useState<{ since: ApiError | null; names: ReadonlySet<string> }>(NOTHING_EDITED)
  const changed = edited.since === write.error ? edited.names : NOTHING_EDITED.names
  const problemsOf = useFieldProblems()
  const problems = useMemo(() => problemsOf(write.error), [write.error, problemsOf])

  useEffect(() => {
    if (write.error) focusFirstProblem(Object.keys(write.error.fields))
  }, [write.error])

  // What is typed while it is being saved is not saved.
  const sent = useRef<Values>(undefined)
  const isDirty = JSON.stringify(values) !== JSON.stringify(initial)
  const isSaved = () => (write.isPending || write.isSuccess) && sent.current === values
  const mayLeave = useUnsavedGuard(() => isGuarded && (isDirty || isMoreChanged) && !isSaved(), { isKeptInSteps })

  const bind = (name: keyof Values & string) => ({
    name,
    value: values[name] ?? '',
    error: changed.has(name) ? undefined : problems[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((before) => ({ ...before, [name]: value }))
      setEdited({ since: write.error, names: new Set(changed).add(name) })
    },
  })
  const named = Object.keys(problems).filter((name) => name in values)
  return {
    values,
    setValues,
    bind,
    isDirty,
    mayLeave,
    /** For `<form onSubmit={…}>`. */
    onSubmit: (send: (values: Values) => void) => (event: FormEvent) => {
      event.preventDefault()
      if (write.isPending) return
      sent.current = values
      send(values)
    },
    /** What is not said at a field; for `<Problem error={…}>`. */
    problem: write.error && (write.error.status !== 422 || named.length === 0) ? write.error : null,
  }
}

/** Empty text means "not given". */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
