// Names of segments: the log, its number, the salt of its checksums, and whether it was found damaged.

export const SEGMENT_BYTES = 64 * 1024 * 1024

export interface SegmentName {
  log: string
  number: number
  salt: number
  quarantined: boolean
}

const NAME = /^([a-z]+)-(\d{9})-([0-9a-f]{8})\.(log|quarantined)$/

export const nameOf = ({ log, number, salt, quarantined }: SegmentName): string =>
  `${log}-${String(number).padStart(9, '0')}-${salt.toString(16).padStart(8, '0')}.${quarantined ? 'quarantined' : 'log'}`

export function parseName(name: string): SegmentName | undefined {
  const [, log, number, salt, ending] = NAME.exec(name) ?? []
  if (log === undefined || number === undefined || salt === undefined) return undefined
  return { log, number: Number(number), salt: Number.parseInt(salt, 16), quarantined: ending === 'quarantined' }
}

/** Encodes a segment and an offset as one number, so that an index entry takes eight bytes. */
const PLACE_FACTOR = 2 ** 28

export const placeOf = (segment: number, offset: number): number => segment * PLACE_FACTOR + offset

export const segmentOf = (place: number): number => Math.floor(place / PLACE_FACTOR)

export const offsetOf = (place: number): number => place % PLACE_FACTOR
