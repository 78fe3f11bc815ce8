import type { ApiError, AvailableSlot } from '@tendon/sdk'
import { useState } from 'react'
import { addDays, dayIn } from '#ui/format/dates.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import type { DaySpan } from './free-times.tsx'

/** The day whose free times are shown, and the time that is chosen. A refusal is about a time: another choice removes it. */
export function useChosenTime(write: { error: ApiError | null; reset: () => void }, off?: DaySpan) {
  const { time_zone } = useClinic()
  const [day, setDay] = useState(() => (off ? addDays(off.to, 1) : dayIn(time_zone, new Date())))
  const [slot, setSlot] = useState<AvailableSlot>()
  const choose = (next: AvailableSlot | undefined) => {
    setSlot(next)
    if (write.error) write.reset()
  }
  return {
    slot,
    clear: () => choose(undefined),
    /** For `<FreeTimes>`. */
    shown: {
      day,
      off,
      chosen: slot,
      onChoose: choose,
      onDay: (next: string) => {
        setDay(next)
        choose(undefined)
      },
    },
  }
}
