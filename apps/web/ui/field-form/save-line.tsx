import { Button, Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Answers } from './use-answers.ts'

/** Shows whether the answers are saved, and names those that are not. */
export function SaveLine({ answers, fieldCount }: { answers: Answers; fieldCount: number }) {
  const t = useTranslations('ui.form')
  const { state, unsavedLabels } = answers
  const fields = unsavedLabels.join(', ')
  const words = {
    saved: t('saved'),
    unsaved: t('notSaved'),
    saving: t('saving'),
    refused: t(unsavedLabels.length < fieldCount ? 'refusedOthers' : 'refused', { fields }),
    failed: t('failed'),
  }
  const isTrouble = state === 'failed' || state === 'refused'
  return (
    <Group gap="sm" className="no-print">
      <Text role="status" c={isTrouble ? 'red' : 'dimmed'} maw={480}>
        {words[state]}
      </Text>
      {isTrouble && (
        <Button variant="default" size="md" onClick={() => void answers.flush()}>
          {t('saveNow')}
        </Button>
      )}
    </Group>
  )
}
