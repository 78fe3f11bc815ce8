import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Today } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { IconPlayerPlay } from '#ui/icons/index.ts'
import { askForConsent } from '#ui/session/ask-consent.ts'
import { useClinic } from '#ui/session/clinic.tsx'

interface StartSessionProps {
  session: Today['sessions'][number]
  /** The session is done for today: the button is less prominent. */
  again?: boolean
}

/** Starts a session or resumes the one in progress. Needs consent to telerehab. */
export function StartSession({ session, again = false }: StartSessionProps) {
  const t = useTranslations('portal.today')
  const navigate = useNavigate()
  const { id, slug } = useClinic()
  const start = useWrite('POST /v1/session-runs', {
    refresh: ['/v1/me/today'],
    onDone: ({ run_id }) =>
      void navigate({ to: '/$clinic/session-runs/$runId', params: { clinic: slug, runId: run_id } }),
  })
  const body = { plan_session_id: session.id }
  const begin = () =>
    start.mutate(
      { body },
      {
        onError: (error) => {
          if (error.code !== 'consent_required') return
          void askForConsent('telerehab', id).then((agreed) => agreed && start.mutate({ body }))
        },
      },
    )
  return (
    <>
      <Button
        size="lg"
        variant={again ? 'light' : 'filled'}
        fullWidth
        mt="sm"
        leftSection={<IconPlayerPlay />}
        loading={start.isPending}
        onClick={begin}
        aria-label={`${session.run_in_progress ? t('resume') : t('start')}: ${session.title}`}
      >
        {session.run_in_progress ? t('resume') : t('start')}
      </Button>
      {/* The gate asks for a missing consent. */}
      <Problem error={start.error?.code === 'consent_required' ? null : start.error} />
    </>
  )
}
