import { Alert, Anchor, Box, Button, Group, Text } from '@mantine/core'
import { useLocation, useParams } from '@tanstack/react-router'
import type { Patient } from '@tendon/sdk'
import { useState } from 'react'
import { useTimeZone, useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { ageOn } from '#ui/format/age.ts'
import { dayIn } from '#ui/format/dates.ts'
import { TelephoneLink } from '#ui/format/telephone-link.tsx'
import { Day } from '#ui/format/time.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { ButtonLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { PrintButton } from '#ui/frame/print-button.tsx'
import { viewerZone } from '#ui/i18n/i18n.tsx'
import { IconCalendarPlus, IconClipboardList, IconMail, IconStretching, IconTrash } from '#ui/icons/index.ts'
import { useNeighbours } from '#ui/record/list-neighbours.ts'
import { RecordPage } from '#ui/record/record-page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { useMayOpen } from '#ui/session/needs.tsx'
import { BookVisitDialog } from '../../parts/appointments/visit-dialogs.tsx'
import { DeletePatient } from '../../parts/patients/delete-patient.tsx'
import { AssignForm } from '../../parts/patients/forms/assign-form.tsx'

/** One patient. The window title does not contain the name, because browsers keep it in their history. */
export function PatientPage() {
  const t = useTranslations('console.patients')
  const tRecord = useTranslations('console.record')
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const { slug } = useClinic()
  const mayOpen = useMayOpen()
  const { pathname } = useLocation()
  const patient = useRead('GET /v1/patients/{id}', { params: { id } })
  const { next, previous } = useNeighbours(id)
  const at = `/${slug}/patients/${id}`
  if (!patient.data)
    return (
      <Page title={t('record')}>
        <Loaded query={patient}>{() => null}</Loaded>
      </Page>
    )
  const tab = pathname.split(`/patients/${id}`)[1]?.split('/')[1] ?? ''
  const sameTabOf = (other: string | undefined) =>
    other === undefined ? undefined : `/${slug}/patients/${other}${tab === '' ? '' : `/${tab}`}`
  const tabs = [
    { to: at, name: 'overview', exact: true },
    { to: `${at}/profile`, name: 'profile' },
    { to: `${at}/conditions`, name: 'conditions' },
    { to: `${at}/plans`, name: 'plans' },
    { to: `${at}/sessions`, name: 'sessions' },
    { to: `${at}/forms`, name: 'forms' },
    { to: `${at}/appointments`, name: 'appointments' },
    { to: `${at}/consents`, name: 'consents' },
    { to: `${at}/documents`, name: 'documents' },
    { to: `${at}/access`, name: 'access' },
  ] as const
  return (
    <RecordPage
      title={patient.data.data.name}
      documentTitle={t('record')}
      actions={<Actions patient={patient.data.data} />}
      facts={<Facts patient={patient.data.data} />}
      next={sameTabOf(next)}
      previous={sameTabOf(previous)}
      tabs={tabs
        .filter(({ name }) => mayOpen(`/$clinic/patients/$id/${name === 'overview' ? '' : name}`))
        .map(({ to, name, ...one }) => ({ to, label: tRecord(`tabs.${name}`), exact: 'exact' in one }))}
    />
  )
}

function Facts({ patient: { id, birth_date, phone, email, status, restricted_at } }: { patient: Patient }) {
  const t = useTranslations('console.patients')
  const tRecord = useTranslations('console.record')
  const zone = useTimeZone() ?? viewerZone()
  const today = dayIn(zone, new Date(useNow()))
  const years = birth_date === null ? undefined : ageOn(today, birth_date)
  const { next, previous } = useNeighbours(id)
  return (
    <>
      <Group gap="xs">
        {birth_date !== null && (
          <span>
            <Day value={birth_date} />
            {years !== undefined && ` (${tRecord('age', { years })})`}
          </span>
        )}
        {phone !== null && <TelephoneLink phone={phone}>{phone}</TelephoneLink>}
        {email !== null && (
          <Anchor href={`mailto:${email}`} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Anchor>
        )}
        <span>{t(`statuses.${status}`)}</span>
      </Group>
      {(next ?? previous) !== undefined && (
        <Text size="sm" className="no-print" visibleFrom="md">
          {tRecord('walk')}
        </Text>
      )}
      {restricted_at && <Alert color="orange">{t('restricted')}</Alert>}
    </>
  )
}

function Actions({ patient }: { patient: Patient }) {
  const t = useTranslations('console.record')
  const { slug } = useClinic()
  const may = useMay()
  const [open, setOpen] = useState<'visit' | 'form' | 'delete'>()
  const close = () => setOpen(undefined)
  const invite = useWrite('POST /v1/patients/{id}/invite', {
    refresh: ['/v1/patients'],
    onDone: () => toast({ text: t('invited') }),
  })
  return (
    <>
      {may('treatment_plans.manage') && (
        <ButtonLink
          to="/$clinic/patients/$id/plans/new"
          params={{ clinic: slug, id: patient.id }}
          leftSection={<IconStretching size={18} />}
        >
          {t('actions.plan')}
        </ButtonLink>
      )}
      {may('appointments.manage') && (
        <Button variant="default" leftSection={<IconCalendarPlus size={18} />} onClick={() => setOpen('visit')}>
          {t('actions.visit')}
        </Button>
      )}
      {may('forms.create') && (
        <Button variant="default" leftSection={<IconClipboardList size={18} />} onClick={() => setOpen('form')}>
          {t('actions.form')}
        </Button>
      )}
      {may('patients.onboard') && patient.status === 'unclaimed' && patient.email !== null && (
        <Button
          variant="default"
          leftSection={<IconMail size={18} />}
          loading={invite.isPending}
          onClick={() => invite.mutate({ params: { id: patient.id } })}
        >
          {t('actions.invite')}
        </Button>
      )}
      <Box visibleFrom="sm">
        <PrintButton size="sm" />
      </Box>
      {may('patients.delete') && patient.deleted_at === null && (
        <Button variant="default" leftSection={<IconTrash size={18} />} onClick={() => setOpen('delete')}>
          {t('actions.delete')}
        </Button>
      )}
      <Problem error={invite.error} />
      <BookVisitDialog patient={patient} open={open === 'visit'} onClose={close} />
      <DeletePatient patient={patient} open={open === 'delete'} onClose={close} />
      <AssignForm patient={patient} open={open === 'form'} onClose={close} />
    </>
  )
}
