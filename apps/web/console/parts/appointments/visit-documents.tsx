import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ApiError, Appointment } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconDownload } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { downloadDocument } from '../patients/documents/download.ts'
import classes from './visit.module.css'

type VisitDocument = NonNullable<Appointment['documents']>[number]

/** PDFs of a visit: a letter, and a certificate for those who came. */
export function VisitDocuments({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.documents')
  const tVisits = useTranslations('console.visits.documents')
  const format = useFormatter()
  const { language } = useLanguage()
  const { id: organization } = useClinic()
  const may = useMay()
  const make = useWrite('POST /v1/appointments/{id}/documents', {
    refresh: ['/v1/appointments', '/v1/appointment-documents'],
    onDone: () => toast({ text: t('done') }),
  })
  const download = useMutation<void, ApiError, VisitDocument>({
    mutationFn: ({ id, kind, created_at }) =>
      downloadDocument(organization, id, `${kind}-${created_at.slice(0, 10)}.pdf`),
  })
  const now = useNow()
  const hasBegun = visit.starts_at !== null && Date.parse(visit.starts_at) <= now
  const hasCome = hasBegun && (visit.status === 'checked_in' || visit.status === 'completed')
  const kinds = hasCome
    ? (['appointment_letter', 'attendance_certificate'] as const)
    : (['appointment_letter'] as const)
  const isDead = visit.status === 'cancelled' || visit.status === 'entered_in_error' || visit.status === 'waitlist'
  return (
    <Stack gap="xs" component="section">
      <Title order={3} size="h4">
        {tVisits('title')}
      </Title>
      {visit.documents?.length === 0 && (
        <Text size="sm" c="dimmed">
          {hasCome ? tVisits('empty') : tVisits('emptyBefore')}
        </Text>
      )}
      <ul className={classes.files}>
        {visit.documents?.map((one) => (
          <li key={one.id} className={classes.file}>
            <span className={classes.fileName}>
              {t(`kinds.${one.kind}`)}{' '}
              <Text component="span" size="sm" c="dimmed">
                {format.dateTime(new Date(one.created_at), { dateStyle: 'medium' })} · {one.language.toUpperCase()}
              </Text>
            </span>
            <ActionIcon
              aria-label={`${t('download')}: ${t(`kinds.${one.kind}`)}`}
              loading={download.isPending && download.variables.id === one.id}
              onClick={() => download.mutate(one)}
            >
              <IconDownload size={18} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {may('documents.create') && !isDead && (
        <Group gap="xs">
          {kinds.map((kind) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              loading={make.isPending && make.variables.body?.kind === kind}
              onClick={() => make.mutate({ params: { id: visit.id }, body: { kind, language } })}
            >
              {tVisits('make', { kind: t(`kinds.${kind}`) })}
            </Button>
          ))}
        </Group>
      )}
      <Problem error={make.error ?? download.error} />
    </Stack>
  )
}
