import { Alert, Badge } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Form, FormSummary } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { TextLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'

/** On a form: the one that corrects it, and the one that it corrects. */
export function Corrections({ form }: { form: Form }) {
  const t = useTranslations('console.record.forms')
  const format = useFormatter()
  const { slug } = useClinic()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const { amends_form_id, amended_by_form_id, amended_at } = form
  return (
    <>
      {amended_by_form_id !== null && amended_at !== null && (
        <Alert color="orange" variant="outline">
          {t('correctedOn', { when: format.dateTime(new Date(amended_at), { dateStyle: 'medium' }) })}{' '}
          <TextLink to="/$clinic/patients/$id/forms/$formId" params={{ clinic: slug, id, formId: amended_by_form_id }}>
            {t('seeCorrection')}
          </TextLink>
        </Alert>
      )}
      {amends_form_id !== null && (
        <Alert variant="outline">
          {t('amends')}{' '}
          <TextLink to="/$clinic/patients/$id/forms/$formId" params={{ clinic: slug, id, formId: amends_form_id }}>
            {t('seeOriginal')}
          </TextLink>
        </Alert>
      )}
    </>
  )
}

/** The state of a form in a list. Of two forms with the same title it tells the original from the correction. */
export function FormState({ form }: { form: FormSummary }) {
  const t = useTranslations('console.record.forms')
  const { status, amends_form_id, amended_by_form_id } = form
  if (amended_by_form_id !== null) return <Badge variant="outline">{t('corrected')}</Badge>
  return (
    <>
      <Badge variant={status === 'completed' ? 'filled' : 'default'}>{t(`statuses.${status}`)}</Badge>
      {amends_form_id !== null && (
        <>
          {' '}
          <Badge variant="outline">{t('correction')}</Badge>
        </>
      )}
    </>
  )
}
