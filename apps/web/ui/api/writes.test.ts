import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createWrites } from './writes.ts'

const row = (id: string, name = 'Ana') => ({ params: { id }, body: { name } })

describe('the writes of one hook', () => {
  test('two rows are written at once, and a second press on either sends nothing', () => {
    const writes = createWrites()
    assert.equal(writes.start(row('a')), true)
    assert.equal(writes.start(row('b')), true)
    assert.equal(writes.start(row('a')), false)
    assert.equal(writes.start(row('b')), false)
  })

  test('the answer for one row leaves the other on its way', () => {
    const writes = createWrites()
    for (const id of ['a', 'b', 'c']) writes.start(row(id))
    writes.succeed(row('a'))
    writes.fail(row('b'))
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => writes.start(row(id))),
      [true, true, false],
    )
  })

  test('a row is sent again with its key after a lost answer, although another row was written meanwhile', () => {
    const writes = createWrites()
    const lost = writes.keyOf(row('a'))
    writes.fail(row('a'))
    const other = writes.keyOf(row('b'))
    writes.succeed(row('b'))
    assert.equal(writes.keyOf(row('a')), lost)
    assert.notEqual(other, lost)
  })

  test('a row gets a new key when it was written, and when something else is written to it', () => {
    const writes = createWrites()
    const first = writes.keyOf(row('a'))
    const changed = writes.keyOf(row('a', 'Eva'))
    const back = writes.keyOf(row('a'))
    writes.succeed(row('a'))
    const again = writes.keyOf(row('a'))
    assert.equal(new Set([first, changed, back, again]).size, 4)
  })
})
