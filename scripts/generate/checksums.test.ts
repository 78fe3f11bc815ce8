import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addChecksums } from './checksums.ts'

const ONE = { name: '0001_one.sql', checksum: 'aa' }
const TWO = { name: '0002_two.sql', checksum: 'bb' }

describe('the checksums of migrations', () => {
  test('a new migration is added to the list', () => {
    assert.equal(addChecksums('', [TWO, ONE]), 'aa  0001_one.sql\nbb  0002_two.sql\n')
    assert.equal(addChecksums('bb  0002_two.sql\n', [ONE, TWO]), 'aa  0001_one.sql\nbb  0002_two.sql\n')
  })

  test('a listed migration that was changed or removed is refused', () => {
    const listed = addChecksums('', [ONE, TWO])
    assert.throws(() => addChecksums(listed, [ONE, { ...TWO, checksum: 'cc' }]), /0002_two\.sql was changed/)
    assert.throws(() => addChecksums(listed, [TWO]), /0001_one\.sql was removed/)
  })
})
