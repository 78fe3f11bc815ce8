import type { AvailableSlot } from '@tendon/sdk'

/** The most that the API returns at once. */
export const MAX_SLOTS = 1_000

export interface FreeTimes {
  data: AvailableSlot[]
  days: { date: string; free: number }[]
}

const keyOf = ({ starts_at, specialist_id, location_id }: AvailableSlot) =>
  `${starts_at} ${specialist_id} ${location_id ?? ''}`

/** Reads free times from `from` to `until`. Each further read begins at the last time of the one before. */
export async function allFreeTimes(
  read: (from: string) => Promise<FreeTimes>,
  from: string,
  until: string,
): Promise<FreeTimes> {
  const first = await read(from)
  const slots = new Map(first.data.map((slot) => [keyOf(slot), slot]))
  let { data } = first
  for (;;) {
    const last = data.at(-1)?.starts_at
    const before = slots.size
    if (data.length < MAX_SLOTS || last === undefined || Date.parse(last) >= Date.parse(until)) break
    data = (await read(last)).data
    for (const slot of data) slots.set(keyOf(slot), slot)
    if (slots.size === before) break
  }
  return { data: [...slots.values()], days: first.days }
}
