import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const WEB = join(import.meta.dirname, '..')
const files = (pattern: string) => globSync(pattern, { cwd: WEB }).map((file) => file.replaceAll('\\', '/'))

describe('the places of the web', () => {
  test('routes/ holds routes, pages, tabs and texts; what they are made of is in parts/', () => {
    const odd = files('*/routes/**/*.*').filter(
      (file) => !/\/((\w[\w-]*-)?route|[\w-]+-(page|tab))\.tsx$|\/texts\.(en|ro)\.ts$/.test(file),
    )
    assert.deepEqual(odd, [])
  })

  test('every file of texts exists in both languages', () => {
    const of = (language: string) => files(`*/**/texts.${language}.ts`).map((file) => file.replace(/\w+\.ts$/, ''))
    assert.ok(of('en').length > 20)
    assert.deepEqual(of('ro').sort(), of('en').sort())
  })
})
