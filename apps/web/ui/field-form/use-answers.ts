import type { FormValues } from '@tendon/contracts/form-values'
import type { ApiError, Form } from '@tendon/sdk'
import { useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { savable } from './answer-problems.ts'
import { useAutosave } from './use-autosave.ts'

/** The answers of a form, saved 800 ms after the last change. Only changed answers are sent. */
export function useAnswers(form: Form) {
  const [values, setValues] = useState<FormValues>(form.values)
  const [status, setStatus] = useState(form.status)
  const [error, setError] = useState<ApiError | null>(null)
  const stored = useRef<{ values: FormValues; version: number }>({ values: form.values, version: form.version })

  const save = async (next: FormValues) => {
    const sent = savable(form.fields, next)
    const changed = Object.entries(sent)
      .filter(([key, value]) => value !== stored.current.values[key])
      .map(([key, value]) => [key, value === '' ? null : value] as const)
    if (changed.length === 0) return
    // An uploaded file has incremented the version too.
    const version = Math.max(stored.current.version, form.version)
    try {
      const saved = await api('PUT /v1/forms/{id}', {
        params: { id: form.id },
        body: { values: Object.fromEntries(changed), version },
      })
      stored.current = { values: { ...stored.current.values, ...Object.fromEntries(changed) }, version: saved.version }
      setStatus(saved.status)
      setError(null)
    } catch (problem) {
      setError(problem as ApiError)
      throw problem
    }
  }
  const { state, flush } = useAutosave(values, save)
  return {
    values,
    status,
    error,
    state,
    flush,
    answer: (key: string, value: unknown) => setValues((before) => ({ ...before, [key]: value })),
    /** After somebody else saved: their answers; typed answers are discarded. */
    replace: (fresh: Form) => {
      stored.current = { values: fresh.values, version: fresh.version }
      setError(null)
      setValues(fresh.values)
    },
    /** After somebody else saved: their answers, overwritten by the person's unsaved ones. */
    rebase: (fresh: Form) => {
      const mine = Object.entries(values).filter(([key, value]) => value !== stored.current.values[key])
      stored.current = { values: fresh.values, version: fresh.version }
      setError(null)
      setValues({ ...fresh.values, ...Object.fromEntries(mine) })
    },
  }
}
