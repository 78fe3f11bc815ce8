import { Button, Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { SaveState } from '../../../ui/field-form/use-autosave.ts'

/** Shows whether the answers are saved. */
export function SaveLine({ state, onSave }: { state: SaveState; onSave: () => void }) {
  const t = useTranslations('portal.forms')
  const form = useTranslations('ui.form')
  const words = { saved: 'saved', waiting: 'notSaved', saving: 'saving', failed: 'notSaved' } as const
  return (
    <Group gap="sm">
      <Text role="status" c={state === 'failed' ? 'red' : 'dimmed'}>
        {form(words[state])}
      </Text>
      {state === 'failed' && (
        <Button variant="default" size="md" onClick={onSave}>
          {t('saveNow')}
        </Button>
      )}
    </Group>
  )
}
