import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APPOINTMENT_STATUSES } from '@tendon/contracts'
import { WORDS } from '../pdf-templates/index.ts'
import { obstacleTo, specialistCaption } from './rules.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const [EARLIER, LATER] = ['2026-03-02T10:00:00.000Z', '2026-03-02T10:00:01.000Z']

describe('which appointments can be printed', () => {
  test('a letter can be printed for every appointment with a time that is neither cancelled nor an error', () => {
    for (const status of APPOINTMENT_STATUSES)
      for (const starts_at of [EARLIER, LATER])
        assert.equal(
          obstacleTo('appointment_letter', { status, starts_at }, NOW),
          status === 'cancelled' ? 'cancelled' : status === 'entered_in_error' ? 'no_time' : undefined,
          status,
        )
    assert.equal(obstacleTo('appointment_letter', { status: 'waitlist', starts_at: null }, NOW), 'no_time')
  })

  test('a certificate of attendance needs a patient who arrived and an appointment that has started', () => {
    for (const status of APPOINTMENT_STATUSES) {
      const attended = status === 'checked_in' || status === 'completed'
      const otherwise = status === 'entered_in_error' ? 'no_time' : 'not_attended'
      const of = (starts_at: string) => obstacleTo('attendance_certificate', { status, starts_at }, NOW)
      assert.deepEqual([of(EARLIER), of(LATER)], attended ? [undefined, 'not_started'] : [otherwise, otherwise], status)
    }
  })
})

describe('what is printed under the name of a specialist', () => {
  test('what is printed under the name of a specialist is the title and the registration number, as far as they are known', () => {
    const of = { title: 'Fizioterapeut', registration_number: 'B 12345' }
    assert.equal(specialistCaption(of, WORDS.en), 'Fizioterapeut, registration no. B 12345')
    assert.equal(specialistCaption(of, WORDS.ro), 'Fizioterapeut, nr. de înregistrare B 12345')
    assert.equal(specialistCaption({ ...of, registration_number: null }, WORDS.ro), 'Fizioterapeut')
    assert.equal(specialistCaption({ ...of, title: null }, WORDS.en), 'registration no. B 12345')
    assert.equal(specialistCaption(undefined, WORDS.en), '')
  })
})
