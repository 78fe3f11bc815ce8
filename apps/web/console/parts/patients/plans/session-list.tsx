import { Button, Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconPlus } from '#ui/icons/index.ts'
import { type DraftSession, emptySession, moved } from './plan-draft.ts'
import { SessionCard } from './session-card.tsx'
import type { PlanProblems } from './use-plan-problems.ts'
import type { Safety } from './use-safety.ts'

interface SessionListProps {
  sessions: readonly DraftSession[]
  safety: Safety
  readOnly: boolean
  problems: PlanProblems
  onChange: (sessions: DraftSession[]) => void
  /** An exercise is wanted for the session with this key. */
  onAdd: (key: string) => void
}

/** The sessions of a plan in their order, and the button that adds one. */
export function SessionList({ sessions, safety, readOnly, problems, onChange, onAdd }: SessionListProps) {
  const t = useTranslations('console.plans')
  return (
    <>
      {sessions.map((session, place) => (
        <SessionCard
          key={session.key}
          session={session}
          path={`sessions.${place}`}
          number={place + 1}
          isFirst={place === 0}
          isLast={place === sessions.length - 1}
          safety={safety}
          readOnly={readOnly}
          problems={problems}
          onChange={(next) => onChange(sessions.map((one) => (one.key === session.key ? next : one)))}
          onMove={(by) => onChange(moved(sessions, place, place + by))}
          onRemove={() => onChange(sessions.filter(({ key }) => key !== session.key))}
          onAdd={() => onAdd(session.key)}
        />
      ))}
      {!readOnly && (
        <Group className="no-print">
          <Button
            name="sessions"
            variant="default"
            leftSection={<IconPlus size={18} />}
            onClick={() => onChange([...sessions, emptySession(t('session', { number: sessions.length + 1 }))])}
          >
            {t('addSession')}
          </Button>
          {problems.at('sessions') !== undefined && (
            <Text c="var(--mantine-color-error)">{problems.at('sessions')}</Text>
          )}
        </Group>
      )}
    </>
  )
}
