import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { codesOf, fillIn, problemOfAction } from './action-rules.ts'

describe('placeholders in the texts of an automation', () => {
  const mail = (text: string) =>
    ({ type: 'send_mail', params: { to: 'patient', kind: 'care', subject: 'Hello', text } }) as const

  test('may have spaces around their name', () => {
    const values = { 'patient.first_name': 'Maria' }
    assert.equal(fillIn('Dear {{ patient.first_name\t}}, {{patient.last_name}}.', values), 'Dear Maria, .')
    assert.equal(problemOfAction(mail('Dear {{ patient.first_name }}')), undefined)
    assert.match(problemOfAction(mail('{{  patient.cnp }}')) ?? '', /^must not contain \{\{patient\.cnp\}\}/)
  })

  test('are found in a text of any length in time that grows with its length', () => {
    const hostile = [`{{${' '.repeat(5_000)}x`, '{{ '.repeat(2_000), '{{ }'.repeat(1_500), `{{${'a '.repeat(2_500)}}`]
    const start = process.cpuUsage()
    for (const text of hostile) {
      fillIn(text, {})
      problemOfAction(mail(text))
      codesOf({ actions: [mail(text)], conditions: { mode: 'all', rules: [] } })
    }
    const { user, system } = process.cpuUsage(start)
    assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`)
  })

  test('a text without two opening braces stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'))
        assert.equal(fillIn(text, {}), text)
      }),
    )
  })
})
