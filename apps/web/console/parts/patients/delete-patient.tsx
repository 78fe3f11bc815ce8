import { Button, Group, List, Text } from '@mantine/core'
import '@mantine/core/styles/List.layer.css'
import { useNavigate } from '@tanstack/react-router'
import type { ApiError, Patient } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem, useCountdown } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'

interface DeletePatientProps {
  patient: Pick<Patient, 'id' | 'version'>
  open: boolean
  onClose: () => void
}

interface FutureVisit {
  id: string
  starts_at: string
}

/** Asks before a record is deleted, and once more, with their times, when the patient has visits to come. */
export function DeletePatient({ open, ...props }: DeletePatientProps) {
  const t = useTranslations('console.record.delete')
  return (
    <Dialog open={open} title={t('title')} onClose={props.onClose}>
      <AskAboutVisits {...props} />
    </Dialog>
  )
}

function AskAboutVisits({ patient, onClose }: Omit<DeletePatientProps, 'open'>) {
  const t = useTranslations('console.record.delete')
  const { slug } = useClinic()
  const may = useMay()
  const navigate = useNavigate()
  const write = useWrite('DELETE /v1/patients/{id}', {
    refresh: ['/v1/appointments'],
    onDone: async () => {
      toast({ text: t('done') })
      await navigate({ to: '/$clinic/patients', params: { clinic: slug } })
    },
  })
  const visits = futureVisitsOf(write.error)
  const wait = useCountdown(write.error)
  const send = (cancel_visits: boolean) =>
    write.mutate({ params: { id: patient.id }, query: { cancel_visits }, ifMatch: patient.version })
  const mayCancel = may('appointments.manage')
  return (
    <>
      {visits ? <Visits visits={visits} mayCancel={mayCancel} /> : <Text>{t('text')}</Text>}
      <Problem error={visits ? null : write.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('keep')}
        </Button>
        {(!visits || mayCancel) && (
          <Button
            color="red.9"
            loading={write.isPending}
            disabled={wait > 0}
            onClick={() => send(visits !== undefined)}
          >
            {visits ? t('cancelAndDelete', { count: visits.length }) : t('action')}
          </Button>
        )}
      </Group>
    </>
  )
}

function Visits({ visits, mayCancel }: { visits: readonly FutureVisit[]; mayCancel: boolean }) {
  const t = useTranslations('console.record.delete')
  const format = useFormatter()
  const { time_zone } = useClinic()
  return (
    <>
      <Text>{t('visits', { count: visits.length })}</Text>
      <List>
        {visits.map(({ id, starts_at }) => (
          <List.Item key={id}>
            <time dateTime={starts_at}>
              {format.dateTime(new Date(starts_at), {
                weekday: 'long',
                day: 'numeric',
                month: 'long',
                year: 'numeric',
                hour: '2-digit',
                minute: '2-digit',
                hourCycle: 'h23',
                timeZone: time_zone,
              })}
            </time>
          </List.Item>
        ))}
      </List>
      <Text>{t(mayCancel ? 'visitsText' : 'visitsAsk', { count: visits.length })}</Text>
    </>
  )
}

/** The visits that the refusal names; undefined for every other answer. */
function futureVisitsOf(error: ApiError | null): readonly FutureVisit[] | undefined {
  const refused = error?.code === 'has_future_visits' && isObject(error.body) ? error.body.error : undefined
  const visits = isObject(refused) ? refused.visits : undefined
  return Array.isArray(visits) ? visits.filter(isVisit) : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isVisit = (value: unknown): value is FutureVisit =>
  isObject(value) && typeof value.id === 'string' && typeof value.starts_at === 'string'
