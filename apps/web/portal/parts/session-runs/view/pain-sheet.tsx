import { Button, Stack, Text } from '@mantine/core'
import type { NewPainReport } from '@tendon/sdk'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import type { Session } from '../run/session.ts'
import type { WarningSign } from '../run/warning-sign.ts'
import { ChoiceRow } from './choice-row.tsx'
import { SEVERITIES } from './severities.ts'
import { usePlayer } from './use-session.ts'
import { WarningAdvice, WarningSigns } from './warning-signs.tsx'

/** From this severity on, the first choice is to stop. */
const STOP_FROM = 7
const SKIP_FROM = 4
const PLACES = [
  'neck',
  'shoulder',
  'elbow',
  'wrist',
  'hand',
  'back',
  'hip',
  'thigh',
  'knee',
  'calf',
  'ankle',
  'foot',
  'other',
] as const

/** "It hurts": location, severity and what to do next. The session is paused. */
export function PainSheet({ session }: { session: Session }) {
  const { pain } = usePlayer(session)
  return pain && <Sheet key={pain.at_ms} session={session} />
}

function Sheet({ session }: { session: Session }) {
  const t = useTranslations('portal.run.pain')
  const [signs, setSigns] = useState<readonly WarningSign[]>([])
  return (
    <Dialog open title={t('title')} onClose={() => session.player.noPain(signs.length > 0)} size="md">
      <Questions session={session} signs={signs} setSigns={setSigns} />
    </Dialog>
  )
}

interface QuestionsProps {
  session: Session
  signs: readonly WarningSign[]
  setSigns: (signs: readonly WarningSign[]) => void
}

function Questions({ session, signs, setSigns }: QuestionsProps) {
  const t = useTranslations('portal.run.pain')
  const { player } = session
  const state = usePlayer(session)
  const [severity, setSeverity] = useState<number | null>(null)
  const [place, setPlace] = useState<(typeof PLACES)[number] | null>(null)
  const top = useRef<HTMLDivElement>(null)
  const isWarned = signs.length > 0
  useUnsavedGuard(severity !== null || place !== null || isWarned, { text: () => t('unsent') })
  const report = (action: NewPainReport['action']) => {
    if (severity === null) return
    const note = place === null ? null : t(`places.${place}`)
    player.reportPain({ severity, action, note, ...(isWarned ? { warning_signs: [...signs] } : {}) })
  }
  const inExercise = state.phase !== 'overview'
  const strong = isWarned || (severity !== null && severity >= STOP_FROM)
  const some = severity !== null && severity >= SKIP_FROM
  const main = (isMain: boolean) => (isMain ? {} : { variant: 'default' as const })
  return (
    <Stack gap="lg" ref={top}>
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
      <WarningSigns chosen={signs} onChange={setSigns} />
      <Stack gap="sm">
        {isWarned && <WarningAdvice help={session.payload.help} />}
        {strong && <Text fw={650}>{t('stopAdvice')}</Text>}
        {severity === null ? (
          <>
            <Text c="dimmed">{t('chooseFirst')}</Text>
            {isWarned && (
              <Button size="lg" variant="default" onClick={() => top.current?.querySelector('input')?.focus()}>
                {t('toSeverity')}
              </Button>
            )}
          </>
        ) : (
          <>
            {strong && (
              <Button size="lg" color="red.9" onClick={() => report('end_session')}>
                {t('end')}
              </Button>
            )}
            {!isWarned && (
              <Button size="lg" {...main(!some)} onClick={() => report('continue')}>
                {t('continue')}
              </Button>
            )}
            {inExercise && !isWarned && (
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
