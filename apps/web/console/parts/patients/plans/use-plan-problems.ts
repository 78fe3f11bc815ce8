import type { ApiError } from '@tendon/sdk'
import { useEffect, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { staleOf } from '#ui/feedback/stale.ts'
import { focusFirstProblem, useFieldProblems } from '#ui/field-form/field-problems.ts'
import type { PlanDraft } from './plan-draft.ts'
import { locate, type Problems, problemsWhileTyping } from './plan-problems.ts'

export interface PlanProblems {
  /** What is wrong with the field of this path. */
  at: (path: string) => string | undefined
  count: number
  /** The refusal that no field shows, and what it says about fields that the page does not have. */
  refusal: ApiError | null
  elsewhere: string[]
}

interface Options {
  draft: PlanDraft
  /** What this page finds wrong. */
  found: Problems
  /** Whether somebody tried to save: empty fields are marked from then on. */
  isTried: boolean
  /** Names of dates that were typed in part. */
  unfinishedDates: readonly string[]
  error: ApiError | null
  /** The draft that the API refused. */
  sent: PlanDraft | undefined
}

/** What is wrong with the plan, by field: what the page finds and what the API refused. The first field refused is focused. */
export function usePlanProblems({ draft, found, isTried, unfinishedDates, error, sent }: Options): PlanProblems {
  const t = useTranslations('console.plans')
  const textsOf = useFieldProblems()
  const located = useMemo(
    () => (error && sent ? locate(Object.keys(error.fields), sent, draft) : { shown: new Map(), elsewhere: [] }),
    [error, sent, draft],
  )
  useEffect(() => {
    if (error && sent) focusFirstProblem([...locate(Object.keys(error.fields), sent, sent).shown.keys()])
  }, [error, sent])

  const refused = textsOf(error)
  const reasons = isTried ? found : problemsWhileTyping(found)
  const fields = Object.fromEntries([...unfinishedDates, ...Object.keys(reasons)].map((path) => [path, '']))
  const own: Record<string, string> = {
    ...Object.fromEntries([...located.shown].map(([path, asSent]) => [path, refused[asSent] ?? ''])),
    ...textsOf({ fields, reasons }),
  }
  const demands = { title: t('needsTitle'), exercises: t('needsExercises'), sessions: t('needsExercises'), override_reason: t('needsReasons') } // biome-ignore format: a table
  const demandOf = (path: string) =>
    /^sessions\.\d+\.title$/.test(path) ? undefined : demands[path.split('.').at(-1) as keyof typeof demands]
  const isPlaced = Object.keys(error?.fields ?? {}).length > 0 && located.elsewhere.length === 0
  return {
    at: (path) => (reasons[path]?.code === 'required' ? (demandOf(path) ?? own[path]) : own[path]),
    count: Object.keys(own).length,
    refusal: staleOf(error) || isPlaced ? null : error,
    elsewhere: located.elsewhere.map((path) => refused[path] ?? ''),
  }
}
