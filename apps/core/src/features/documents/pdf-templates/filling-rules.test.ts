import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { filled } from './filling-rules.ts'
import type { Values } from './path-rules.ts'

describe('filling the texts of a template', () => {
  const VALUES: Values = { 'patient.name': 'Maria Stan', 'clinic.name': 'Clinic', 'appointment.date': '3 May' }
  const says = (text: string, expected: string, values = VALUES) => assert.equal(filled(text, values), expected)

  test('a value that contains a path is printed literally', () => {
    const values = { 'patient.name': '{{clinic.name}} $& $1', 'clinic.name': 'Clinic' }
    says('{{ patient.name }} at {{clinic.name}}', '{{clinic.name}} $& $1 at Clinic', values)
    says('{{__proto__}}{{constructor}}', '', values)
  })

  test('a sentence with a value that is not known is left out; the others stay', () => {
    says('It takes place here. {{appointment.location}}', 'It takes place here.')
    says('Call us: {{clinic.phone}}. See you on {{appointment.date}}!', 'See you on 3 May!')
    says('If you cannot come, please call us: {{clinic.phone}}', '')
    says('Dear {{patient.name}},\nborn on {{patient.birth_date}}\nWelcome.', 'Dear Maria Stan,\nWelcome.')
    says('A line.\n\nAnother line.', 'A line.\n\nAnother line.')
    says('With Dr. {{appointment.specialist}}. Bring shoes.', 'Bring shoes.')
  })

  test('a value without a letter or digit is not known: its sentence, clause or optional part is left out', () => {
    for (const value of ['-', '—', ' . ', '…', '\u200b', '/', '?']) {
      const values = { ...VALUES, 'clinic.phone': value, 'appointment.location': value }
      says('It takes place here. {{appointment.location}}', 'It takes place here.', values)
      says('{{clinic.name}}, {{clinic.phone}}', 'Clinic', values)
      says('Call us[[: {{clinic.phone}}]].', 'Call us.', values)
    }
    says('Room {{appointment.location}}.', 'Room -2.', { 'appointment.location': '-2' })
  })

  test('a clause between commas, or an item of a list, is left out alone', () => {
    says(
      '{{clinic.name}} certifies that {{patient.name}}, born on {{patient.birth_date}}, attended on {{appointment.date}}.',
      'Clinic certifies that Maria Stan, attended on 3 May.',
    )
    says('{{clinic.name}}, {{clinic.phone}}, {{clinic.email}}', 'Clinic')
    says('{{clinic.phone}}, {{clinic.email}}', '')
  })

  test('an optional part is left out alone; brackets without a path are printed', () => {
    says('{{patient.name}}[[, born on {{patient.birth_date}},]] attended.', 'Maria Stan attended.')
    says('Call us[[: {{clinic.phone}}]].', 'Call us: 0721.', { 'clinic.phone': '0721' })
    says('See [[1]] and {{clinic.name}}', 'See [[1]] and Clinic')
    says('See [[{{clinic.name}} [[{{clinic.phone}}]]', 'See [[Clinic ')
  })

  test('the time grows with the length of a text, whatever it says', () => {
    const times = (part: string) => part.repeat(Math.ceil(5_000 / part.length))
    const hostile = [
      `{{${times(' ')}x`,
      `{{${times(' ')}x}`,
      times('{{ '),
      times('{{ }'),
      `[[${times('{{')}`,
      `[[${times('{{a')}`,
      times('[[{{'),
      times('[[{{a}} '),
      times('[[ '),
      times('Dr. '),
      times(', '),
      `${times('{{clinic.phone}}, ')}.`,
    ]
    const start = process.cpuUsage()
    for (const text of hostile) filled(text, VALUES)
    const { user, system } = process.cpuUsage(start)
    assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`)
  })

  test('a value in Arabic or Hebrew is isolated, so that the words and numbers beside it stay where they are', () => {
    says('{{patient.name}}, 17 May', '\u2068محمد\u2069, 17 May', { 'patient.name': 'محمد\u2069' })
  })

  test('with all values known, nothing but the paths changes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/\{\{|\[\[/.test(text))
        assert.equal(filled(text, {}), text)
        assert.equal(filled(`${text}{{clinic.name}}`, VALUES), `${text}Clinic`)
      }),
    )
  })
})
