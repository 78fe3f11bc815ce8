import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList, useWrite } from '../../../ui/api/hooks.ts'
import { CalendarLink } from '../../../ui/calendar-link/calendar-link.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { useMay, useMe } from '../../../ui/session/me.ts'

/** Subscribes a calendar app to a specialist's visits: specialists to their own, who manages specialists to anybody's. */
export function SpecialistCalendarLink() {
  const t = useTranslations('ui.calendarLink')
  const may = useMay()
  const { principal_id } = useMe()
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState('')
  const create = useWrite('POST /v1/specialists/{id}/calendar-feed')
  const remove = useWrite('DELETE /v1/specialists/{id}/calendar-feed')
  const reset = () => {
    create.reset()
    remove.reset()
  }
  const specialists = useList('GET /v1/specialists', { query: { limit: 100, sort: 'name' } })
  const mine = specialists.data?.items.find(({ human_id }) => human_id === principal_id)
  const choices = may('specialists.manage') ? (specialists.data?.items ?? []) : mine ? [mine] : []
  const id = chosen === '' ? (mine ?? choices[0])?.id : chosen
  if (id === undefined) return null
  return (
    <>
      <Button
        variant="default"
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
          onCreate={() => {
            reset()
            create.mutate({ params: { id } })
          }}
          onRemove={() => {
            reset()
            remove.mutate({ params: { id } })
          }}
        >
          {choices.length > 1 && (
            <NativeSelect
              label={t('specialist')}
              value={id}
              data={choices.map(({ id: value, name: label }) => ({ value, label }))}
              onChange={(event) => {
                reset()
                setChosen(event.currentTarget.value)
              }}
            />
          )}
        </CalendarLink>
      </Dialog>
    </>
  )
}
