import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_MAX_FORM_FILE_BYTES, fileProblem } from './form-file-limits.ts'

describe('files of a form, before they are sent', () => {
  const pdf = { allowed_file_types: ['application/pdf'], max_file_size: 1_000 }

  test('a file at the limit is taken, one byte more is too large, and an empty one is empty', () => {
    const type = 'application/pdf'
    assert.equal(fileProblem(pdf, { size: 1_000, type }), undefined)
    assert.equal(fileProblem(pdf, { size: 1_001, type }), 'too_large')
    assert.equal(fileProblem(pdf, { size: 0, type }), 'empty')
    assert.equal(fileProblem({}, { size: DEFAULT_MAX_FORM_FILE_BYTES + 1, type }), 'too_large')
  })

  test('a type that the field does not name is wrong, whatever its spelling', () => {
    const size = 1
    assert.equal(fileProblem(pdf, { size, type: 'text/plain' }), 'wrong_type')
    assert.equal(fileProblem(pdf, { size, type: '' }), 'wrong_type')
    assert.equal(fileProblem(pdf, { size, type: 'Application/X-PDF; v=1' }), undefined)
    assert.equal(fileProblem({ allowed_file_types: ['image/jpeg'] }, { size, type: 'image/jpg' }), undefined)
  })

  test('a field without types takes documents and pictures, and no programs', () => {
    assert.equal(fileProblem({ allowed_file_types: null }, { size: 1, type: 'image/heic' }), undefined)
    assert.equal(fileProblem({}, { size: 1, type: 'application/x-msdownload' }), 'wrong_type')
  })
})
