import { Kbd, Table } from '@mantine/core'
import '@mantine/core/styles/Table.layer.css'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../feedback/dialog.tsx'
import { useKeys } from './use-keys.ts'

/** What each key does, for the dialog that `?` opens. */
export function Shortcuts({ keys }: { keys: readonly { keys: readonly string[]; does: string }[] }) {
  const t = useTranslations('ui.keyboard')
  const [open, setOpen] = useState(false)
  useKeys({ '?': () => setOpen(true) })
  return (
    <Dialog open={open} title={t('title')} onClose={() => setOpen(false)}>
      <Table>
        <Table.Tbody>
          {keys.map((one) => (
            <Table.Tr key={one.does}>
              <Table.Th scope="row" w={96}>
                {one.keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{one.does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
