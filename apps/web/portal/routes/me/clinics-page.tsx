import { Badge, Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { ConfirmForm } from '#ui/feedback/confirm.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { type Clinic, useClinic } from '#ui/session/clinic.tsx'
import { clinicsOf } from '#ui/session/clinics.ts'
import { useMe } from '#ui/session/me.ts'
import { MyPage } from '../../parts/me/my-page.tsx'

/** The clinics where the person is a patient. */
export function ClinicsPage() {
  const t = useTranslations('portal.clinics')
  const here = useClinic()
  const [leaving, setLeaving] = useState<Clinic | null>(null)
  return (
    <MyPage title={t('title')}>
      <Stack gap="sm">
        {clinicsOf(useMe()).map((clinic) => (
          <Paper key={clinic.id} withBorder p="md">
            <Group justify="space-between">
              <Text fw={650}>{clinic.name}</Text>
              {clinic.id === here.id ? (
                <Badge>{t('here')}</Badge>
              ) : (
                <Button component="a" href={`/portal/${clinic.slug}`} size="md">
                  {t('open')}
                </Button>
              )}
            </Group>
            <Button variant="default" size="md" mt="sm" onClick={() => setLeaving(clinic)}>
              {t('leave')}
            </Button>
          </Paper>
        ))}
      </Stack>
      {leaving && (
        <Dialog open title={t('leaveTitle', { clinic: leaving.name })} onClose={() => setLeaving(null)}>
          <Leave clinic={leaving} onClose={() => setLeaving(null)} />
        </Dialog>
      )}
    </MyPage>
  )
}

function Leave({ clinic, onClose }: { clinic: Clinic; onClose: () => void }) {
  const t = useTranslations('portal.clinics')
  // Reload the page, so that no data of the old clinic stays in memory.
  const leave = useWrite('POST /v1/me/organizations/{id}/leave', { onDone: () => location.assign('/portal/') })
  const form = useApiForm(leave, { reason: '' })
  return (
    <ConfirmForm
      danger
      text={
        <Stack>
          <Text>{t('leaveText')}</Text>
          <Textarea {...form.text('reason')} size="md" label={t('reason')} autosize minRows={2} maxLength={500} />
        </Stack>
      }
      action={t('leave')}
      pending={leave.isPending}
      error={form.problem}
      onConfirm={form.onSubmit((body) => leave.mutate({ params: { id: clinic.id }, body: { ...body, confirm: true } }))}
      onClose={onClose}
    />
  )
}
