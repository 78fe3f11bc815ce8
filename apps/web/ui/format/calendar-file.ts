export interface CalendarEvent {
  /** The same in every file about one appointment, including the files in mails. */
  uid: string
  /** Incremented by every move: a calendar replaces its entry with one that has a higher number. */
  sequence: number
  startsAt: string
  endsAt: string
  summary: string
  location: string | null
}

const MAX_LINE_BYTES = 75

const escaped = (text: string) => text.replaceAll(/[\\;,]/g, (found) => `\\${found}`).replaceAll(/\r?\n/g, '\\n')
const instant = (value: string) => new Date(value).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Lines are folded at 75 octets (RFC 5545, 3.1). */
function folded(line: string): string {
  const encoder = new TextEncoder()
  let bytes = 0
  let out = ''
  for (const character of line) {
    const size = encoder.encode(character).length
    if (bytes + size > MAX_LINE_BYTES) {
      out += '\r\n '
      bytes = 1
    }
    out += character
    bytes += size
  }
  return out
}

/** An iCalendar file with one event, in UTC. */
export function calendarFile(event: CalendarEvent, now: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tendon//Appointments//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.uid}@tendon`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${instant(now.toISOString())}`,
    `DTSTART:${instant(event.startsAt)}`,
    `DTEND:${instant(event.endsAt)}`,
    `SUMMARY:${escaped(event.summary)}`,
    ...(event.location === null ? [] : [`LOCATION:${escaped(event.location)}`]),
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}
