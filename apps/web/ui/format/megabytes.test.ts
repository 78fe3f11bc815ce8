import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { useMegabytes } from './megabytes.ts'

const MB = 1024 * 1024

describe('sizes of files', () => {
  test('a size is rounded up, and what is allowed or has arrived is rounded down', () => {
    assert.deepEqual(shown(300_000), ['0.29', '0.28'])
    assert.deepEqual(shown(8.97 * MB), ['9', '8.9'])
    assert.deepEqual(shown(10 * MB), ['10', '10'])
  })

  test('a size is written in the language of the reader', () => {
    assert.deepEqual(shown(2.5 * MB, 'ro-RO'), ['2,5', '2,5'])
  })
})

function shown(bytes: number, locale: 'en-GB' | 'ro-RO' = 'en-GB'): string[] {
  const Sizes = () => {
    const megabytes = useMegabytes()
    return [megabytes(bytes, 'ceil'), megabytes(bytes, 'floor')].join(' ')
  }
  const props = { locale, timeZone: 'UTC', children: createElement(Sizes) }
  return renderToStaticMarkup(createElement(IntlProvider, props)).split(' ')
}
