import { Alert, Button, Stack, Text } from '@mantine/core'
import type { MyAppointment } from '@tendon/sdk'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { IconVideo } from '#ui/icons/index.ts'
import { GiveConsent } from '../me/give-consent.tsx'

/** The video link of a visit: available 15 minutes before the start, with consent to telemedicine. */
export function JoinVisit({ visit }: { visit: MyAppointment }) {
  const t = useTranslations('portal.visits')
  const [asking, setAsking] = useState(false)
  // A background job updates the visit, so it may show the consent as missing for a short time.
  const [isGiven, setGiven] = useState(false)
  // Browsers open windows only directly after a click, so open an empty one and set its URL later.
  const meeting = useRef<Window | null>(null)
  const join = useWrite('GET /v1/me/appointments/{id}/join', {
    onDone: ({ data: { url } }) => {
      if (meeting.current) meeting.current.location.href = url
      else location.assign(url)
    },
  })
  const needsConsent = (!isGiven && visit.missing_consents.length > 0) || join.error?.code === 'consent_required'
  return (
    <>
      {needsConsent ? (
        <Alert color="orange" icon={<IconVideo />}>
          <Stack gap="sm" align="flex-start">
            <Text>{t('needsConsent')}</Text>
            <Button size="md" onClick={() => setAsking(true)}>
              {t('giveConsent')}
            </Button>
          </Stack>
        </Alert>
      ) : visit.can_join ? (
        <Button
          size="md"
          leftSection={<IconVideo size={20} />}
          loading={join.isPending}
          onClick={() => {
            const opened = window.open('about:blank', '_blank')
            if (opened) opened.opener = null
            meeting.current = opened
            join.mutate({ params: { id: visit.id } })
          }}
        >
          {t('join')}
        </Button>
      ) : (
        <Text c="dimmed">{t('joinFrom')}</Text>
      )}
      {!needsConsent && <Problem error={join.error} />}
      {asking && (
        <GiveConsent
          purpose="telemedicine"
          onClose={() => setAsking(false)}
          onGiven={() => {
            setAsking(false)
            setGiven(true)
            join.reset()
          }}
        />
      )}
    </>
  )
}
