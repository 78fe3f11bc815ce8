import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AutomationAction } from '@tendon/contracts'
import fc from 'fast-check'
import { codesOf, fillIn, problemOfAction } from './action-rules.ts'

describe('placeholders in the texts of an automation', () => {
  const mail = (text: string) =>
    ({ type: 'send_mail', params: { to: 'patient', kind: 'care', subject: 'Hello', text } }) as const

  test('placeholders in the texts of an automation may have spaces around their name', () => {
    const values = { 'patient.first_name': 'Maria' }
    assert.equal(fillIn('Dear {{ patient.first_name\t}}, {{patient.last_name}}.', values), 'Dear Maria, .')
    assert.equal(problemOfAction(mail('Dear {{ patient.first_name }}')), undefined)
    assert.match(problemOfAction(mail('{{  patient.cnp }}')) ?? '', /^must not contain \{\{patient\.cnp\}\}/)
  })

  test('a value without a letter or digit is left out of the text of an automation', () => {
    for (const value of ['-', '—', ' . ', '\u200b', '?'])
      assert.equal(fillIn('Dear {{patient.first_name}}!', { 'patient.first_name': value }), 'Dear !')
    assert.equal(fillIn('{{patient.first_name}}', { 'patient.first_name': 'Ș.' }), 'Ș.')
  })

  test('placeholders in the texts of an automation are found in a text of any length in time that grows with its length', () => {
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

describe('the params of an action', () => {
  test('a member that its type does not take, and one that it lacks, are named', () => {
    const problems = (type: AutomationAction['type'], params: AutomationAction['params']) =>
      problemOfAction({ type, params })
    assert.equal(problems('wait', { minutes: 5, text: 'a', to: 'patient' }), 'must not contain text, to')
    assert.equal(problems('send_mail', { to: 'patient', text: 'a' }), 'must contain kind, subject')
    assert.equal(problems('create_form', {}), 'must contain form_template_id')
    assert.equal(problems('wait', {}), 'must contain either minutes or before_appointment_minutes')
  })

  test('a mail to members names their permission, and is never marketing', () => {
    const mail = { subject: 'Hello', text: 'a' }
    const problem = (params: AutomationAction['params']) =>
      problemOfAction({ type: 'send_mail', params: { ...mail, ...params } })
    assert.match(problem({ to: 'members', kind: 'care' }) ?? '', /^must contain permission/)
    assert.match(problem({ to: 'patient', kind: 'care', permission: 'forms.sign' }) ?? '', /^must contain permission/)
    assert.match(problem({ to: 'members', kind: 'marketing', permission: 'forms.sign' }) ?? '', /kind care/)
    assert.equal(problem({ to: 'members', kind: 'care', permission: 'forms.sign' }), undefined)
    assert.equal(problem({ to: 'patient', kind: 'care', text: '' }), 'must contain a text')
  })
})
