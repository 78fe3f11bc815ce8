import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { csvOf } from './csv.ts'

describe('CSV of a list', () => {
  test('fields are quoted where needed, and accents are kept', () => {
    const text = csvOf([
      ['Name', 'Phone'],
      ['Țurcanu, Ștefan', 'says "hello"'],
    ])
    assert.equal(text, '\uFEFFName,Phone\r\n"Țurcanu, Ștefan","says ""hello"""\r\n')
  })

  test('a cell that a spreadsheet would read as a formula is escaped', () => {
    assert.equal(csvOf([['=1+1', '+40 21 555', '-5', '@x']]), "\uFEFF'=1+1,'+40 21 555,'-5,'@x\r\n")
  })
})
