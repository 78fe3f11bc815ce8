import { Alert, Text } from '@mantine/core'
import { valueKeyOf } from '@tendon/contracts/form-values'
import { useTranslations } from 'use-intl'
import { Conflict } from '../feedback/conflict.tsx'
import { useIsSelf } from '../session/me.ts'
import { shownAnswer } from './shown-value.ts'
import type { ShownQuestion } from './translated.ts'
import type { Answers } from './use-answers.ts'

/** Somebody has saved the form meanwhile: asks only about answers that both have changed. */
export function AnswerConflict({ answers, fields }: { answers: Answers; fields: readonly ShownQuestion[] }) {
  const t = useTranslations('ui.form.merged')
  const tConflict = useTranslations('ui.conflict')
  const { conflict, merged, values } = answers
  const isSelf = useIsSelf(merged?.changedById)
  return (
    <>
      {merged && (
        <Alert variant="outline" role="status">
          <Text>{isSelf ? t('self') : t('other', { name: merged.changedBy ?? tConflict('somebody') })}</Text>
        </Alert>
      )}
      <Conflict
        stale={conflict}
        differences={fields
          .map((field) => ({ field, key: valueKeyOf(field) }))
          .filter(({ key }) => conflict?.keys.includes(key))
          .map(({ field, key }) => ({
            label: field.label ?? field.key,
            theirs: shownAnswer(field, conflict?.values[key]),
            mine: shownAnswer(field, values[key]),
          }))}
        onTheirs={answers.takeTheirs}
        onMine={answers.keepMine}
        onClose={answers.postpone}
      />
    </>
  )
}
