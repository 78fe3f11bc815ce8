// "Value is YYYY-MM-DD or RFC 3339; date-only lower bound = 00:00:00.000 UTC, date-only upper bound =
// 23:59:59.999999999 UTC; both inclusive". PostgreSQL keeps microseconds, so a finer lower bound goes up to the next one
// and a finer upper bound down: then exactly the rows inside the range match. Answers show milliseconds: an upper bound
// of that precision takes in the whole millisecond, so that a time copied from an answer includes its own row.

const DATE = /^\d{4}-\d{2}-\d{2}$/
const RFC3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
const MICROS_PER_SECOND = 1_000_000n

export type Side = 'after' | 'before'

const WHOLE_DAY = { after: '00:00:00.000Z', before: '23:59:59.999999999Z' } satisfies Record<Side, string>

/** One side of a range as a UTC time with microseconds, or undefined when the text is neither a date nor a time. */
export function parseBound(text: string, side: Side): string | undefined {
  const match = RFC3339.exec(DATE.test(text) ? `${text}T${WHOLE_DAY[side]}` : text)
  if (!match) return undefined
  const [, day = '', hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Date.parse takes 30 February as 2 March; a calendar does not.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  // A leap second is written 23:59:60.
  const lastSecond = minute === '59' ? 60 : 59
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > lastSecond) return undefined
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined

  const offset = (Number(offsetHour) * 3600 + Number(offsetMinute) * 60) * (sign === '-' ? -1 : 1)
  const seconds = midnight / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset
  const finer = /[1-9]/.test(fraction.slice(6))
  const shown = side === 'before' && fraction.length <= 3 ? `${fraction.padEnd(3, '0')}999` : fraction
  const micros =
    BigInt(seconds) * MICROS_PER_SECOND +
    BigInt(shown.slice(0, 6).padEnd(6, '0')) +
    (finer && side === 'after' ? 1n : 0n)
  return formatMicros(micros)
}

/** undefined outside the years 1 to 9999. */
function formatMicros(micros: bigint): string | undefined {
  const rest = ((micros % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND
  const whole = new Date(Number((micros - rest) / 1000n)).toISOString()
  if (whole.length !== 24 || whole.startsWith('0000')) return undefined
  return `${whole.slice(0, 19)}.${String(rest).padStart(6, '0')}Z`
}
