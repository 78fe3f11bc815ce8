import { Alert, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ApiError } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { ButtonLink, TextLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMayOpen } from '#ui/session/needs.tsx'

const START = { first_name: '', last_name: '', phone: '', email: '', birth_date: '', invite: true }

/** Quick add: a name is enough. */
export function NewPatient({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('console.patients')
  return (
    <Dialog open={open} title={t('new')} onClose={onClose} closesByNavigation>
      <NewPatientForm onClose={onClose} />
    </Dialog>
  )
}

function NewPatientForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('console.patients')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const write = useWrite('POST /v1/patients', {
    refresh: ['/v1/patients'],
    onDone: ({ data }) => {
      toast({ text: t('created') })
      void navigate({ to: '/$clinic/patients/$id', params: { clinic: slug, id: data.id } })
    },
  })
  const mayOpen = useMayOpen()
  const existing = existingOf(write.error)
  const form = useApiForm(write, START, { isGuarded: existing === undefined })
  const { email, invite } = form.values
  const add = (isDuplicate: boolean) =>
    form.onSubmit((body) =>
      write.mutate({
        body: { ...body, invite: invite && email !== '', ...(isDuplicate ? { allow_duplicate: true } : {}) },
      }),
    )
  return (
    <form onSubmit={add(false)} noValidate>
      <Stack>
        <TextInput {...form.text('first_name')} label={t('firstName')} required autoComplete="off" />
        <TextInput {...form.text('last_name')} label={t('lastName')} required autoComplete="off" />
        <TextInput {...form.text('phone')} label={t('phone')} type="tel" autoComplete="off" />
        <DateField {...form.date('birth_date')} label={t('birthDate')} />
        <TextInput {...form.text('email')} label={t('email')} type="email" autoComplete="off" />
        <Checkbox
          {...form.checked('invite')}
          label={t('invite')}
          checked={invite && email !== ''}
          disabled={email === ''}
        />
        {existing ? (
          <Alert color="orange" variant="outline" role="alert">
            <Stack gap="xs" align="flex-start">
              <Text>{t('exists')}</Text>
              <ButtonLink to="/$clinic/patients/$id" params={{ clinic: slug, id: existing.patient_id }}>
                {t('openExisting')}
              </ButtonLink>
              {existing.field === 'email' && (
                <Button variant="default" onClick={add(true)}>
                  {t('addAnyway')}
                </Button>
              )}
            </Stack>
          </Alert>
        ) : (
          <Problem error={form.problem} />
        )}
        {write.error?.code === 'privacy_notice_unpublished' &&
          (mayOpen('/$clinic/privacy-notice') ? (
            <TextLink to="/$clinic/privacy-notice" params={{ clinic: slug }}>
              {t('publishNotice')}
            </TextLink>
          ) : (
            <Text>{t('askForNotice')}</Text>
          ))}
        <SubmitButtons write={write} label={t('new')} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** The existing record (409 patient_exists). */
function existingOf(error: ApiError | null): { patient_id: string; field?: string } | undefined {
  if (error?.code !== 'patient_exists') return undefined
  const { patient_id, field } = (error.body as { error: { patient_id?: string; field?: string } }).error
  return patient_id === undefined ? undefined : { patient_id, ...(field === undefined ? {} : { field }) }
}
