/** Of a connected calendar, as RFC 3339 texts. */
export interface BusyTime {
  start: string
  end: string
}

/** Events without a length, or that end before they begin, hide no free time. */
export const takesTime = ({ start, end }: BusyTime): boolean => Date.parse(end) > Date.parse(start)
