import { Button, Stack, Text } from '@mantine/core'
import type { NewPainReport } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../../../ui/feedback/dialog.tsx'
import type { Session } from '../run/session.ts'
import { ChoiceRow } from './choice-row.tsx'
import { SEVERITIES } from './severities.ts'
import { usePlayer } from './use-session.ts'

/** From this severity on, the first choice is to stop. */
const STOP_FROM = 7
const SKIP_FROM = 4
const PLACES = ['neck', 'shoulder', 'elbow', 'hand', 'back', 'hip', 'knee', 'foot', 'other'] as const

/** "It hurts": location, severity and what to do next. The session is paused. */
export function PainSheet({ session }: { session: Session }) {
  const t = useTranslations('portal.run.pain')
  const state = usePlayer(session)
  return (
    <Dialog open={state.pain !== null} title={t('title')} onClose={session.player.noPain} size="md">
      {state.pain && <Questions key={state.pain.at_ms} session={session} />}
    </Dialog>
  )
}

function Questions({ session }: { session: Session }) {
  const t = useTranslations('portal.run.pain')
  const { player } = session
  const state = usePlayer(session)
  const [severity, setSeverity] = useState<number | null>(null)
  const [place, setPlace] = useState<(typeof PLACES)[number] | null>(null)
  const report = (action: NewPainReport['action']) => {
    if (severity === null) return
    player.reportPain({ severity, action, note: place === null ? null : t(`places.${place}`) })
  }
  const inExercise = state.phase !== 'overview'
  const strong = severity !== null && severity >= STOP_FROM
  const some = severity !== null && severity >= SKIP_FROM
  const main = (isMain: boolean) => (isMain ? {} : { variant: 'default' as const })
  return (
    <Stack gap="lg">
      <ChoiceRow
        label={t('severity')}
        choices={SEVERITIES.map((value) => ({ value, label: String(value) }))}
        chosen={severity}
        onChoose={setSeverity}
        ends={[t('none'), t('worst')]}
        columns={11}
      />
      <ChoiceRow
        label={t('place')}
        choices={PLACES.map((value) => ({ value, label: t(`places.${value}`) }))}
        chosen={place}
        onChoose={setPlace}
        columns={3}
      />
      <Stack gap="sm">
        {strong && <Text fw={650}>{t('stopAdvice')}</Text>}
        {severity === null ? (
          <Text c="dimmed">{t('chooseFirst')}</Text>
        ) : (
          <>
            {strong && (
              <Button size="lg" color="red.9" onClick={() => report('end_session')}>
                {t('end')}
              </Button>
            )}
            <Button size="lg" {...main(!some)} onClick={() => report('continue')}>
              {t('continue')}
            </Button>
            {inExercise && (
              <>
                <Button size="lg" variant="default" onClick={() => report('rest')}>
                  {t('rest')}
                </Button>
                <Button size="lg" {...main(some && !strong)} onClick={() => report('skip_exercise')}>
                  {t('skip')}
                </Button>
              </>
            )}
            {!strong && (
              <Button size="lg" variant="default" onClick={() => report('end_session')}>
                {t('end')}
              </Button>
            )}
          </>
        )}
      </Stack>
    </Stack>
  )
}
