import { useState } from 'react'

/** Keeps items where they were first shown, so that nothing moves under a finger: new ones come last. */
export function useSteadyOrder<Item extends { id: string }>(items: readonly Item[]): Item[] {
  const [order, setOrder] = useState<readonly string[]>([])
  const added = items.map(({ id }) => id).filter((id) => !order.includes(id))
  const all = [...order, ...added]
  if (added.length > 0) setOrder(all)
  return items.toSorted((a, b) => all.indexOf(a.id) - all.indexOf(b.id))
}
