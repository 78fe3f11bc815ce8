import { Button, Group, Table, Text } from '@mantine/core'
import '@mantine/core/styles/Table.layer.css'
import { useFormatter, useTranslations } from 'use-intl'
import { useIsSelf } from '../session/me.ts'
import { Dialog } from './dialog.tsx'
import type { Stale } from './stale.ts'

export interface ConflictProps {
  /** From `staleOf`; undefined without a conflict. */
  stale: Stale | undefined
  /** Field label → theirs and mine, as they are shown. */
  differences: readonly { label: string; theirs: string; mine: string }[]
  /** Takes what is stored now; what was typed is given up. */
  onTheirs: () => void
  /** The label of the button that overwrites the stored version. Default: "Keep mine". */
  mine?: string
  /** Writes what was typed over what is stored now. */
  onMine: () => void
  onClose: () => void
}

/** Somebody else has saved meanwhile (409): shows what differs, and the person decides. Nothing typed is lost before that. */
export function Conflict({ stale, differences, mine: mineLabel, onTheirs, onMine, onClose }: ConflictProps) {
  const t = useTranslations('ui.conflict')
  const format = useFormatter()
  const isSelf = useIsSelf(stale?.changedById)
  return (
    <Dialog open={stale !== undefined} title={t(isSelf ? 'selfTitle' : 'title')} onClose={onClose} size="md">
      {stale?.changedAt !== undefined && (
        <Text fw={600}>
          {t(isSelf ? 'selfWho' : 'who', {
            name: stale.changedBy ?? t('somebody'),
            when: format.dateTime(new Date(stale.changedAt), { dateStyle: 'medium', timeStyle: 'short' }),
          })}
        </Text>
      )}
      <Text>{t('text')}</Text>
      {differences.length > 0 && (
        <Table layout="fixed" style={{ overflowWrap: 'anywhere' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('field')}</Table.Th>
              <Table.Th>{t('theirs')}</Table.Th>
              <Table.Th>{t('mine')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ label, theirs, mine }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>{theirs}</Table.Td>
                <Table.Td>{mine}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onTheirs}>
          {t(isSelf ? 'selfTake' : 'takeTheirs')}
        </Button>
        <Button onClick={onMine}>{mineLabel ?? t('keepMine')}</Button>
      </Group>
    </Dialog>
  )
}
