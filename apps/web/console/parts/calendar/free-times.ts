import type { AvailableSlot } from '@tendon/sdk'

/** When two specialists are free at the same time, the first one is offered. */
export const firstOfEachTime = (slots: readonly AvailableSlot[]): AvailableSlot[] =>
  [...new Map(slots.toReversed().map((slot) => [slot.starts_at, slot])).values()].toReversed()
