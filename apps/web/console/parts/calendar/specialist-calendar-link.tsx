import { NativeSelect } from '@mantine/core'
import type { Specialist } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { CalendarLink } from '#ui/calendar-link/calendar-link.tsx'
import { useMay, useMe } from '#ui/session/me.ts'

/** Subscribes a calendar app to a specialist's visits: specialists to their own, who manages specialists to anybody's. */
export function SpecialistCalendarLink({ specialists }: { specialists: readonly Specialist[] }) {
  const t = useTranslations('ui.calendarLink')
  const isManager = useMay()('specialists.manage')
  const { principal_id } = useMe()
  const [chosen, setChosen] = useState<string>()
  const create = useWrite('POST /v1/specialists/{id}/calendar-feed')
  const remove = useWrite('DELETE /v1/specialists/{id}/calendar-feed')
  const choices = isManager ? specialists : specialists.filter(({ human_id }) => human_id === principal_id)
  const id = chosen ?? choices[0]?.id
  if (id === undefined) return null
  return (
    <CalendarLink {...{ create, remove }} call={{ params: { id } }}>
      {choices.length > 1 && (
        <NativeSelect
          label={t('specialist')}
          value={id}
          data={choices.map(({ id: value, name: label }) => ({ value, label }))}
          onChange={(event) => {
            create.reset()
            remove.reset()
            setChosen(event.currentTarget.value)
          }}
        />
      )}
    </CalendarLink>
  )
}
