import type { AvailableSlot, PublicService } from '@tendon/sdk'
import type { offeredChoices } from './booking-search.ts'

type Specialist = PublicService['specialists'][number]
type Location = PublicService['locations'][number]

/** A free time as it is offered: named with specialist and place where they differ or matter. */
export interface SlotChoice {
  key: string
  starts_at: string
  /** Undefined: not named. */
  specialist?: Specialist | undefined
  /** Undefined: not named. Null: the calendar has no location. */
  location?: Location | null | undefined
  /** What to hold, so that the person gets what the button names. */
  wanted: { starts_at: string; specialist_id?: string; location_id?: string }
}

interface Options {
  choices: ReturnType<typeof offeredChoices>
  /** A visit that is moved keeps its specialist: every time names who and where. */
  isMove: boolean
}

/**
 * Times that look the same are offered once: several specialists may be free at the same time, and the server then chooses one.
 * Times at different places are different choices.
 */
export function slotChoices(
  slots: readonly AvailableSlot[],
  service: Pick<PublicService, 'specialists' | 'locations'>,
  options: Options,
): SlotChoice[] {
  const { choices, isMove } = options
  const namesPlace = choices.mode === 'in_person' && (service.locations.length > 1 || isMove)
  const found = new Map<string, SlotChoice>()
  for (const { starts_at, specialist_id, location_id } of slots) {
    const key = [starts_at, namesPlace && location_id, isMove && specialist_id].join(' ')
    if (found.has(key)) continue
    const specialist = isMove ? service.specialists.find(({ id }) => id === specialist_id) : undefined
    const location = namesPlace ? (service.locations.find(({ id }) => id === location_id) ?? null) : undefined
    // Nothing asks for "no location", but a specialist is at one place at a time.
    const who = isMove || location === null ? specialist_id : choices.specialist
    const where = namesPlace ? location_id : choices.location
    found.set(key, {
      key,
      starts_at,
      specialist,
      location,
      wanted: { starts_at, ...(who ? { specialist_id: who } : {}), ...(where ? { location_id: where } : {}) },
    })
  }
  return [...found.values()]
}
