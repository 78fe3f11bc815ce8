import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isBlank, isLine } from './lines.ts'
import { isFilledIn } from './placeholder-values.ts'

const BREAKS = [
  '\r\n',
  '\r',
  '\n',
  '\u0000',
  '\t',
  '\u000b',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u007f',
  '\u202d',
  '\u202e',
]

const INVISIBLE = ['\u200b', '\u3164', '\u{e0041}\u{e0042}', '\u00ad', '\u2060', '\ufe0f', '\u115f', '\u2800', '\u200e']

describe('text on one line', () => {
  test('names as people write them are lines, in any script', () => {
    for (const name of [
      'Ana-Maria Ștefănescu',
      'O’Neill',
      'عمر الفاروق',
      'דוד בן-גוריון',
      '李小龍',
      'Zoë 🌱',
      'नेहा\u200dकुमारी',
      '',
    ])
      assert.ok(isLine(name), name)
  })

  test('a break, another control character or an override anywhere makes it none', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, fc.constantFrom(...BREAKS), text, (before, refused, after) => {
        assert.ok(!isLine(before + refused + after))
      }),
    )
  })

  test('characters that nobody sees are no text of their own, and may stand in a text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(' ', '\u00a0', ...INVISIBLE)), (characters) => {
        const text = characters.join('')
        assert.ok(isBlank(text))
        assert.ok(!isFilledIn(text))
        assert.equal(isLine(text), text.trim() === '')
        assert.ok(isLine(`${text}Ana`) && !isBlank(`${text}Ana`) && isFilledIn(`${text}7`))
      }),
    )
  })

  test('marks of direction are allowed where each is closed, as phones copy numbers', () => {
    for (const text of ['\u202a+40 722 555 010\u202c', '\u2068a\u2067b\u2069c\u2069', 'a\u200eb\u200fc'])
      assert.ok(isLine(text))
    for (const text of ['\u202aa', 'a\u202c', '\u2066a\u202c', '\u2066\u202ba\u2069\u202c', 'a\u2069'])
      assert.ok(!isLine(text))
  })
})
