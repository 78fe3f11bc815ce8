import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { OneForm } from '../../../parts/patients/forms/one-form.tsx'

/** One form of the patient: fill in with autosave, sign, amend. */
export function FormTab() {
  const t = useTranslations('console.record.forms')
  const { slug } = useClinic()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const form = useRead('GET /v1/forms/{id}', {
    params: { id: useParams({ from: '/$clinic/patients/$id/forms/$formId' }).formId },
  })
  return (
    <Stack maw={720}>
      <TextLink to="/$clinic/patients/$id/forms" params={{ clinic: slug, id }} className="no-print">
        {t('back')}
      </TextLink>
      <Loaded query={form}>{({ data }) => <OneForm key={data.id} form={data} />}</Loaded>
    </Stack>
  )
}
