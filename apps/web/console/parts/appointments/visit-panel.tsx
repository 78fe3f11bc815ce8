import { Alert, Badge, Divider, Group, Stack } from '@mantine/core'
import '@mantine/core/styles/Divider.layer.css'
import type { Appointment } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { IconVideo } from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'
import { DayOffNotice } from './day-off-notice.tsx'
import { EnteredInError } from './entered-in-error.tsx'
import { LinkBooking } from './link-booking.tsx'
import { useOpenVisit } from './use-open-visit.ts'
import { VisitActions } from './visit-actions.tsx'
import { VisitDetails } from './visit-details.tsx'
import { VisitDocuments } from './visit-documents.tsx'
import { VisitFacts } from './visit-facts.tsx'
import { VisitFiles } from './visit-files.tsx'
import { VisitReminders } from './visit-reminders.tsx'
import { VisitReview } from './visit-review.tsx'
import { statusColor } from './visit-status.ts'
import { WaitlistOfferPanel } from './waitlist-offer.tsx'

/** One visit beside the page: what is known, what can be done next, notes, files and documents. */
export function VisitPanel() {
  const { id, close } = useOpenVisit()
  return id === undefined ? null : <OpenVisit id={id} onClose={close} />
}

function OpenVisit({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('console.visits')
  const serviceName = useServiceName()
  const visit = useRead('GET /v1/appointments/{id}', { params: { id } })
  const { service, title } = visit.data?.data ?? {}
  return (
    <Dialog open side closesByNavigation title={title ?? serviceName(service) ?? t('visit')} onClose={onClose}>
      <Loaded query={visit}>{({ data }) => <Visit key={data.id} visit={data} />}</Loaded>
    </Dialog>
  )
}

function Visit({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.visits')
  const tVisits = useTranslations('console.record.appointments')
  const may = useMay()
  const { open } = useOpenVisit()
  const mayManage = may('appointments.manage')
  return (
    <Stack>
      <Group gap="xs">
        <Badge size="lg" variant="dot" color={statusColor(visit.status)}>
          {visit.rescheduled_to_id === null ? tVisits(`statuses.${visit.status}`) : tVisits('movedAway')}
        </Badge>
        {visit.series_id !== null && (
          <Badge size="lg" variant="default">
            {t('inSeries')}
          </Badge>
        )}
      </Group>
      <VisitFacts visit={visit} />
      {visit.missing_consents.includes('telemedicine') && (
        <Alert color="orange" variant="outline" icon={<IconVideo />}>
          {t('noVideoConsent')}
        </Alert>
      )}
      <DayOffNotice visit={visit} />
      {visit.status === 'waitlist' && <WaitlistOfferPanel visit={visit} readOnly={!mayManage} />}
      {mayManage && visit.patient_id === null && <LinkBooking visit={visit} />}
      {mayManage && <VisitActions visit={visit} onMoved={open} />}
      <Divider />
      <VisitDetails visit={visit} readOnly={!mayManage} />
      <Divider />
      <VisitFiles visitId={visit.id} readOnly={!mayManage} />
      {may('documents.view_org') && visit.patient_id !== null && (
        <>
          <Divider />
          <VisitDocuments visit={visit} />
        </>
      )}
      <VisitReminders visitId={visit.id} />
      {visit.status === 'completed' && <VisitReview visitId={visit.id} />}
      {may('appointments.delete') && visit.status !== 'entered_in_error' && <EnteredInError visit={visit} />}
    </Stack>
  )
}
