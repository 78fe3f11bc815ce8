import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calendarFile } from './calendar-file.ts'

const event = {
  uid: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
  sequence: 2,
  startsAt: '2026-03-29T07:00:00.000Z',
  endsAt: '2026-03-29T08:00:00.000Z',
  summary: 'Evaluare inițială, Clinica Mlădița; a doua\nEND:VEVENT',
  location: 'Strada Florilor, 5',
}

describe('calendar file', () => {
  const file = calendarFile(event, new Date('2026-03-01T10:00:00Z'))
  const unfolded = file.replaceAll('\r\n ', '').split('\r\n')

  test('a calendar file has the uid and sequence of the mails, and times in UTC', () => {
    for (const line of [
      'UID:019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17@tendon',
      'SEQUENCE:2',
      'DTSTART:20260329T070000Z',
      'DTEND:20260329T080000Z',
    ])
      assert.ok(unfolded.includes(line), line)
  })

  test('text cannot add a line, and separators are escaped', () => {
    assert.ok(unfolded.includes('SUMMARY:Evaluare inițială\\, Clinica Mlădița\\; a doua\\nEND:VEVENT'))
    assert.equal(unfolded.filter((line) => line === 'END:VEVENT').length, 1)
  })

  test('no line is longer than 75 octets', () => {
    for (const line of file.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  })
})
