import { useQueryClient } from '@tanstack/react-query'
import { valueKeyOf } from '@tendon/contracts/form-values'
import type { Form } from '@tendon/sdk'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../api/client.ts'
import { signInGate } from '../api/gates.ts'
import { useMarkStale } from '../api/hooks.ts'
import { type AnswerOf, inClinic, readKey } from '../api/queries.ts'
import { browserClock } from '../clock.ts'
import { useUnsavedGuard } from '../feedback/use-unsaved-guard.ts'
import { useClinicId } from '../session/clinic.tsx'
import { createAnswers } from './answers.ts'
import type { ShownQuestion } from './translated.ts'

/** Browsers send at most 64 KB for a page that was closed. */
const MAX_KEEPALIVE_CHARACTERS = 15_000

const READ = 'GET /v1/forms/{id}'

/**
 * The answers of a form, saved while the person types. Leaving the page saves first and asks if that does not succeed. What is
 * stored goes into the cache, so that the way back shows it. `fields`: the questions in the reader's language.
 */
export function useAnswers(form: Form, fields: readonly ShownQuestion[]) {
  const t = useTranslations('ui.form')
  const client = useQueryClient()
  const organization = useClinicId()
  const markStale = useMarkStale()
  const { id } = form
  const [answers] = useState(() =>
    createAnswers(form, {
      clock: browserClock,
      async send(values, version) {
        // Another person may sign in meanwhile; the gate opens for this one only.
        if (signInGate.reason) await signInGate.wait(true)
        const body = { values, version }
        return api('PUT /v1/forms/{id}', {
          params: { id },
          body,
          keepalive: JSON.stringify(body).length < MAX_KEEPALIVE_CHARACTERS,
          ...inClinic(organization),
        })
      },
      onStored(stored) {
        const queryKey = readKey(organization, READ, { params: { id } })
        // A read that began before the save must not replace what was saved.
        const isReading = client.isFetching({ queryKey }) > 0
        if (isReading) void client.cancelQueries({ queryKey })
        client.setQueryData<AnswerOf<typeof READ>>(queryKey, (before) =>
          before ? { ...before, data: { ...before.data, ...stored } } : before,
        )
        markStale(['/v1/forms', '/v1/me/today', '/v1/patients'])
        if (isReading) void client.refetchQueries({ queryKey, type: 'active' })
      },
    }),
  )
  const view = useSyncExternalStore(answers.subscribe, answers.view)
  useEffect(() => answers.attach(), [answers])
  useEffect(() => answers.receive(form), [answers, form])
  useEffect(() => {
    const retry = () => answers.retry()
    // A phone ends hidden pages without a further event.
    const hide = () => void (document.visibilityState === 'hidden' && answers.flush())
    window.addEventListener('online', retry)
    document.addEventListener('visibilitychange', hide)
    return () => {
      window.removeEventListener('online', retry)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [answers])

  const labelsOf = (keys: readonly string[]) =>
    fields.filter((field) => keys.includes(valueKeyOf(field))).map(({ label, key }) => label ?? key)
  useUnsavedGuard(() => !answers.isClean(), {
    save: () => answers.flush(),
    text: () => t('refused', { fields: labelsOf(answers.view().unsaved).join(', ') }),
  })
  return { ...answers, ...view, unsavedLabels: labelsOf(view.unsaved) }
}

export type Answers = ReturnType<typeof useAnswers>
