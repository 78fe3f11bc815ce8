import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../ui/api/hooks.ts'
import { CalendarLink } from '../../../ui/calendar-link/calendar-link.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { IconCalendarEvent } from '../../../ui/icons/index.ts'

/** Subscribes a calendar app to the person's visits at this clinic. */
export function MyCalendarLink() {
  const t = useTranslations('ui.calendarLink')
  const [open, setOpen] = useState(false)
  const create = useWrite('POST /v1/me/calendar-feed')
  const remove = useWrite('DELETE /v1/me/calendar-feed')
  const reset = () => {
    create.reset()
    remove.reset()
  }
  return (
    <>
      <Button
        variant="default"
        size="md"
        w="fit-content"
        leftSection={<IconCalendarEvent size={20} />}
        onClick={() => {
          reset()
          setOpen(true)
        }}
      >
        {t('open')}
      </Button>
      <Dialog open={open} title={t('title')} onClose={() => setOpen(false)}>
        <CalendarLink
          {...{ create, remove }}
          size="md"
          onCreate={() => {
            reset()
            create.mutate({})
          }}
          onRemove={() => {
            reset()
            remove.mutate({})
          }}
        />
      </Dialog>
    </>
  )
}
