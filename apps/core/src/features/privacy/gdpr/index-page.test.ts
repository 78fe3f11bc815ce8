import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowHtml } from './index-page.ts'

describe('the page of an export', () => {
  test('the page of an export has dates with the day before the month, in both languages', () => {
    const row = { birth_date: '1980-03-02', created_at: '2026-11-17T20:30:00.000Z' }
    const html = rowHtml(row, { language: 'en', timeZone: 'Europe/Bucharest' })
    assert.match(html, /2 March 1980.+17 November 2026 at 22:30/)
    assert.match(rowHtml(row, { language: 'ro', timeZone: 'UTC' }), /2 martie 1980.+17 noiembrie 2026/)
  })
})
