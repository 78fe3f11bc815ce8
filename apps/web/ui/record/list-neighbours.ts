// The ids of the last list shown, so that J and K open the next and previous record. Only in memory, never in storage.
let listed: readonly string[] = []

export function rememberList(ids: readonly string[]): void {
  listed = ids
}

export function neighboursOf(id: string): { next?: string; previous?: string } {
  const place = listed.indexOf(id)
  if (place === -1) return {}
  const [previous, next] = [listed[place - 1], listed[place + 1]]
  return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) }
}
