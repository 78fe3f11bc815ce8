import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { RunPayload } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { IconAlertCircle } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { knownOf } from '../run/player-state.ts'
import { ExerciseList } from './exercise-list.tsx'
import classes from './player.module.css'

/** The session runs in another tab. This one shows its exercises and reports nothing. */
export function Elsewhere({ payload, onTakeOver }: { payload: RunPayload; onTakeOver: () => void }) {
  const t = useTranslations('portal.run')
  const navigate = useNavigate()
  const { slug } = useClinic()
  return (
    <div className={classes.player} data-phase="overview">
      <div className={classes.body}>
        <Stack gap="lg">
          <Title order={1} tabIndex={-1}>
            {payload.session.title}
          </Title>
          <Alert variant="outline" color="gray" role="alert" icon={<IconAlertCircle />} title={t('elsewhere.title')}>
            <Text>{t('elsewhere.text')}</Text>
          </Alert>
          <ExerciseList exercises={payload.exercises} outcomes={knownOf(payload).outcomes} />
          <Stack gap="xs" className={classes.actions}>
            <Button size="lg" onClick={onTakeOver}>
              {t('elsewhere.takeOver')}
            </Button>
            <Button
              size="lg"
              variant="default"
              onClick={() => void navigate({ to: '/$clinic', params: { clinic: slug } })}
            >
              {t('summary.back')}
            </Button>
          </Stack>
        </Stack>
      </div>
    </div>
  )
}
