import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { MAX_PATTERN_TEXT_LENGTH, matchesPattern, readPattern } from './form-patterns.ts'

const atom = fc.constantFrom(
  'a',
  'b',
  'ș',
  '🦴',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\s',
  '\\.',
  '\\u{73}',
  '\\x61',
  '\\p{L}',
)
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,}', '{0,2}', '{1,3}?')
const { expression } = fc.letrec<{ expression: string; sequence: string; part: string; group: string }>((tie) => ({
  group: tie('sequence').map((inside) => `(?:${inside})`),
  part: fc.tuple(fc.oneof({ maxDepth: 3 }, atom, tie('group')), quantifier).map(([one, how]) => one + how),
  sequence: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  expression: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((choices) => choices.join('|')),
}))
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ș', 's', '1', ' ', '.', '\n', '🦴'), maxLength: 8 })

describe('patterns of form fields', () => {
  test('match what JavaScript matches with the whole text', () => {
    fc.assert(
      fc.property(expression, fc.array(text, { maxLength: 20 }), (source, texts) => {
        const read = readPattern(source)
        // The generator may go over the bound on size, which has a test of its own.
        fc.pre(!('problem' in read && read.problem.startsWith('is too large')))
        assert.ok('program' in read, source)
        const native = new RegExp(`^(?:${source})$`, 'u')
        for (const one of texts) assert.equal(matchesPattern(source, one), native.test(one), `${source} ${one}`)
      }),
      { numRuns: soakRuns(300), seed: soakSeed() },
    )
  })

  for (const [source, yes, no] of [
    ['^[A-Z]{2}[0-9]{6}$', 'RX123456', 'RX12345'],
    ['^a|b$', 'b', 'ab'],
    ['\\+?[0-9 ]{7,15}', '+40 21 555', '12'],
    ['[^@\\s]+@[^@\\s]+\\.[a-z]+', 'a@b.ro', 'a@b'],
    ['([\\w-]+)(?:, [\\w-]+)*', 'a-b, c', 'a,'],
    ['[\\]x]\\ud83e\\uddb4', ']🦴', ']'],
    ['', '', 'a'],
  ] as const) {
    test(`${source}: ${yes}, not ${no}`, () => {
      assert.deepEqual([matchesPattern(source, yes), matchesPattern(source, no)], [true, false])
    })
  }

  test('backreferences, lookarounds and invalid expressions are refused with a reason', () => {
    for (const source of [
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?<n>a)',
      '(a)\\1',
      '\\bword',
      'a^b',
      '(^a)',
      'a$b',
      '(',
      '[',
      'a{2',
      '\\',
    ]) {
      const read = readPattern(source)
      assert.ok('problem' in read && /^(is|must) /.test(read.problem), source)
    }
    for (const source of [
      '(a{99}){99}',
      '(?:){999999999}',
      '((((){99}){99}){99}){99}',
      'a{600}',
      '(?:(?:a?){30}){30}',
    ]) {
      assert.deepEqual(readPattern(source), { problem: 'is too large: use fewer repetitions' }, source)
    }
  })

  test('an expression with catastrophic backtracking elsewhere is fast here', () => {
    const start = process.cpuUsage()
    for (const source of ['(a+)+b', '(a|a)*b', '(a*)*b', 'a*a*a*a*a*a*a*a*b', '(?:a?){100}a{100}b']) {
      assert.equal(matchesPattern(source, 'a'.repeat(MAX_PATTERN_TEXT_LENGTH)), false)
    }
    assert.ok(process.cpuUsage(start).user < 2_000_000)
    assert.equal(matchesPattern('a*', 'a'.repeat(MAX_PATTERN_TEXT_LENGTH + 1)), false)
  })
})
