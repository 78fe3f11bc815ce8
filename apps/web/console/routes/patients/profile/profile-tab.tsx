import { Paper, Stack, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { useMay } from '#ui/session/me.ts'
import { ContactForm } from '../../../parts/patients/profile/contact-form.tsx'
import { CustomFields } from '../../../parts/patients/profile/custom-fields.tsx'

/** Personal data and custom fields of a patient. Concurrent edits are detected in both. */
export function ProfileTab() {
  const t = useTranslations('console.record.profile')
  const params = { id: useParams({ from: '/$clinic/patients/$id' }).id }
  const readOnly = !useMay()('patients.update')
  const patient = useRead('GET /v1/patients/{id}', { params })
  const profile = useRead('GET /v1/patients/{id}/profile', { params })
  return (
    <Stack maw={720}>
      <Paper withBorder p="lg" component="section" aria-labelledby="contact">
        <Title order={2} id="contact" mb="md">
          {t('contact')}
        </Title>
        <Loaded query={patient}>
          {({ data }) => <ContactForm key={data.id} patient={data} readOnly={readOnly} />}
        </Loaded>
      </Paper>
      <Paper withBorder p="lg" component="section" aria-labelledby="fields">
        <Title order={2} id="fields" mb="md">
          {t('fields')}
        </Title>
        <Loaded query={profile}>
          {(data) => <CustomFields key={data.patient_id} profile={data} readOnly={readOnly} />}
        </Loaded>
      </Paper>
    </Stack>
  )
}
