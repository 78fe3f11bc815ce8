import type { Reason } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useLanguage } from '../i18n/i18n.tsx'

/** What was refused; an `ApiError` is one. */
export interface Refused {
  fields: Readonly<Record<string, string>>
  reasons: Readonly<Record<string, Reason>>
}

/** Field → what is wrong, in the person's language. The API's messages are English and shown only to readers of English. */
export function useFieldProblems(): (error: Refused | null | undefined) => Record<string, string> {
  const t = useTranslations('ui.reasons')
  const tFields = useTranslations('ui.fieldProblems')
  const isEnglish = useLanguage().language === 'en'
  const textOf = ({ code, params = {} }: Reason): string | undefined => {
    // A wrong "format" has a specific text for e-mail addresses.
    const own = `${code}_${String(params.format)}` as 'required'
    const key = t.has(own) ? own : (code as 'required')
    const values = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
    )
    return t.has(key) ? t(key, values) : undefined
  }
  return (error) =>
    Object.fromEntries(
      Object.entries(error?.fields ?? {}).map(([field, words]) => {
        const reason = error?.reasons[field]
        const known = tFields.has(field as 'since') ? tFields(field as 'since') : undefined
        return [field, (reason && textOf(reason)) ?? known ?? (isEnglish ? words : t('invalid'))]
      }),
    )
}

/** Puts the focus on the first control that was refused, so that nobody has to look for it. */
export function focusFirstProblem(names: readonly string[]): void {
  const found = names
    .map((name) => document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`))
    .filter((element) => element !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  found[0]?.focus()
}
