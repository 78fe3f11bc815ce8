import { Alert } from '@mantine/core'
import type { Form } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { TextLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'

/** On a form: the one that corrects it, and the one that it corrects. */
export function Corrections({ form }: { form: Form }) {
  const t = useTranslations('portal.forms')
  const format = useFormatter()
  const { slug } = useClinic()
  const linkTo = (id: string, text: string) => (
    <TextLink to="/$clinic/forms/$id" params={{ clinic: slug, id }}>
      {text}
    </TextLink>
  )
  const { amends_form_id, amended_by_form_id, amended_at } = form
  return (
    <>
      {amended_by_form_id !== null && amended_at !== null && (
        <Alert color="orange">
          {t('correctedOn', { when: format.dateTime(new Date(amended_at), { dateStyle: 'medium' }) })}{' '}
          {linkTo(amended_by_form_id, t('seeCorrection'))}
        </Alert>
      )}
      {amends_form_id !== null && (
        <Alert color="gray">
          {t('corrects')} {linkTo(amends_form_id, t('seeOriginal'))}
        </Alert>
      )}
    </>
  )
}
