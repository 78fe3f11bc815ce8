/** The latest day that it is anywhere: whoever is a time zone ahead may already write tomorrow's date. */
const AHEAD_MS = 14 * 60 * 60 * 1000

/** Why the condition cannot have begun on this day; undefined when it can. */
export function problemOfSince(since: string | null | undefined, now: Date): string | undefined {
  const latest = new Date(now.getTime() + AHEAD_MS).toISOString().slice(0, 10)
  return since && since > latest ? 'must not be in the future' : undefined
}
