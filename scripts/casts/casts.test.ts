import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareCasts, followRenames, formatBaseline, lowerBaseline, parseBaseline } from './baseline.ts'
import { linesWithCast } from './written.ts'

const BASELINE = parseBaseline('# comment\na.ts 2 1\nb.ts 0 3\n')

describe('the baseline of casts', () => {
  test('the numbers of the baseline pass', () => {
    assert.deepEqual(compareCasts(BASELINE, BASELINE), [])
  })

  test('a file with more casts than its number is refused, also one that had none', () => {
    const found = parseBaseline('a.ts 2 2\nb.ts 0 3\nc.ts 1 0')
    const [first, second, ...rest] = compareCasts(BASELINE, found)
    assert.match(first ?? '', /^a\.ts: 2 written casts, 1 allowed/)
    assert.match(second ?? '', /^c\.ts: 1 unsafe casts, 0 allowed/)
    assert.deepEqual(rest, [])
  })

  test('a file with fewer casts than its number is refused until the number is lowered', () => {
    const found = parseBaseline('a.ts 1 1')
    assert.equal(compareCasts(BASELINE, found).length, 2)
    const lowered = lowerBaseline(BASELINE, found)
    assert.deepEqual(compareCasts(lowered, found), [])
    assert.match(formatBaseline(lowered), /^#.*\na\.ts 1 1\n$/)
  })

  test('lowering raises no number and adds no file', () => {
    const lowered = lowerBaseline(BASELINE, parseBaseline('a.ts 5 5\nb.ts 0 3\nc.ts 1 1'))
    assert.deepEqual(lowered, BASELINE)
  })

  test('a file that moved keeps its numbers, once', () => {
    const moved = followRenames(BASELINE, parseBaseline('b.ts 0 3\nother/a.ts 0 0\nparts/a.ts 2 1\nroutes/a.ts 2 1'))
    assert.deepEqual(moved, parseBaseline('parts/a.ts 2 1\nb.ts 0 3'))
  })

  test('a line that is not a file with two numbers is refused', () => {
    assert.throws(() => parseBaseline('<<<<<<< HEAD\na.ts 1 1'), /is not a file with two numbers/)
  })

  test('casts are counted by lines, without comments, imports and constants', () => {
    const source = [
      'const a = b as Tx',
      'const c = d as unknown as string',
      'reply.send(e as never)',
      '// as Tx',
      ' * as Tx',
      "import { A as B } from 'c'",
      "const f = ['x'] as const",
      'const g = h as string',
    ]
    assert.deepEqual(linesWithCast(source.join('\n')), [1, 2, 3])
  })
})
