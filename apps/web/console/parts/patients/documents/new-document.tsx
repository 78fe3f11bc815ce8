import { NativeSelect, Stack, Text } from '@mantine/core'
import type { AppointmentDocument } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { translatedTitle } from '#ui/field-form/translated.ts'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { useMay } from '#ui/session/me.ts'

interface NewDocumentProps {
  patientId: string
  profileId: string
  open: boolean
  onClose: () => void
}

/** Creates a PDF of a form, a plan or a visit. */
export function NewDocument({ open, ...props }: NewDocumentProps) {
  const t = useTranslations('console.documents')
  return (
    <Dialog open={open} title={t('make')} onClose={props.onClose}>
      <Choose {...props} />
    </Dialog>
  )
}

type Kind = AppointmentDocument['kind']
const KINDS: readonly Kind[] = ['form', 'treatment_plan', 'appointment_letter', 'attendance_certificate']

function Choose({ patientId, profileId, onClose }: Omit<NewDocumentProps, 'open'>) {
  const t = useTranslations('console.documents')
  const [kind, setKind] = useState<Kind>('form')
  const [chosen, setChosen] = useState('')
  const { language: locale } = useLanguage()
  const sources = useSources(kind, patientId, profileId)
  const options = {
    refresh: ['/v1/appointment-documents'],
    onDone: () => {
      toast({ text: t('done') })
      onClose()
    },
  }
  const form = useWrite('POST /v1/forms/{id}/render', options)
  const plan = useWrite('POST /v1/treatment-plans/{id}/render', options)
  const visit = useWrite('POST /v1/appointments/{id}/documents', options)
  const write = kind === 'form' ? form : kind === 'treatment_plan' ? plan : visit
  const fields = useApiForm(write, { language: locale })
  const id = chosen || (sources?.[0]?.value ?? '')
  const send = fields.onSubmit(({ language }) => {
    if (id === '') return
    if (kind === 'form') form.mutate({ params: { id }, body: { language } })
    else if (kind === 'treatment_plan') plan.mutate({ params: { id }, body: { language } })
    else visit.mutate({ params: { id }, body: { kind, language } })
  })
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        <NativeSelect
          label={t('kind')}
          value={kind}
          data={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChange={(event) => {
            setKind(KINDS.find((one) => one === event.currentTarget.value) ?? kind)
            setChosen('')
          }}
        />
        {sources?.length === 0 ? (
          <Text>{t(`none.${kind}`)}</Text>
        ) : (
          <NativeSelect
            label={t('of')}
            value={id}
            data={sources ?? []}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
        <NativeSelect
          {...fields.select('language')}
          label={t('language')}
          data={[
            { value: 'ro', label: 'Română' },
            { value: 'en', label: 'English' },
          ]}
        />
        <Problem error={fields.problem} />
        <SubmitButtons write={write} label={t('make')} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** The forms, plans or visits that a document of this kind can print; undefined while they load. */
function useSources(kind: Kind, patientId: string, profileId: string) {
  const format = useFormatter()
  const t = useTranslations('console.record.forms')
  const { language } = useLanguage()
  const serviceName = useServiceName()
  const may = useMay()
  const isVisit = kind === 'appointment_letter' || kind === 'attendance_certificate'
  const forms = useWholeList(
    'GET /v1/forms',
    { query: { patient_profile_id: profileId, status: 'completed,signed' } },
    { enabled: kind === 'form' && may('forms.view_org') },
  )
  const plans = useWholeList(
    'GET /v1/treatment-plans',
    { query: { patient_id: patientId, status: 'active,completed,archived' } },
    { enabled: kind === 'treatment_plan' && may('treatment_plans.view_org') },
  )
  const status =
    kind === 'attendance_certificate' ? 'checked_in,completed' : 'pending,confirmed,checked_in,completed,no_show'
  const visits = useWholeList(
    'GET /v1/appointments',
    { query: { patient_id: patientId, status, sort: '-starts_at', include: 'service' } },
    { enabled: isVisit && may('appointments.view_org') },
  )
  // Offers the correction of a form, not the form that it replaces.
  if (kind === 'form')
    return forms.data?.items
      .filter(({ amended_by_form_id }) => amended_by_form_id === null)
      .map((form) => {
        const { id, amends_form_id, signed_at, completed_at, created_at } = form
        const day = format.dateTime(new Date(signed_at ?? completed_at ?? created_at), { dateStyle: 'medium' })
        const parts = [translatedTitle(form, language), ...(amends_form_id === null ? [] : [t('correction')]), day]
        return { value: id, label: parts.join(' · ') }
      })
  if (kind === 'treatment_plan') return plans.data?.items.map(({ id, title }) => ({ value: id, label: title }))
  return visits.data?.items.flatMap(({ id, starts_at, service }) =>
    starts_at === null
      ? []
      : [
          {
            value: id,
            label: `${format.dateTime(new Date(starts_at), { dateStyle: 'medium', timeStyle: 'short' })} · ${serviceName(service) ?? ''}`,
          },
        ],
  )
}
