import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, test } from 'node:test'

// A cast through `unknown` says that the compiler knows nothing: any value passes. The listed files need one; no other file does.

const root = join(import.meta.dirname, '../..')

/** File → why no type says it. */
const ALLOWED: Readonly<Record<string, string>> = {
  'packages/sdk/src/client.ts':
    'the overloads of the client come from the table of routes, which exists as a type only',
}

const THROUGH_UNKNOWN = /\bas unknown as \S/

describe('casts through unknown', () => {
  const found = globSync('{apps,packages,scripts,bench}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.startsWith('scripts/casts/'))
    .filter((path) => THROUGH_UNKNOWN.test(readFileSync(join(root, path), 'utf8')))

  test('casts through unknown are in the listed files only, and each of these still needs it', () => {
    assert.deepEqual(found.sort(), Object.keys(ALLOWED).sort())
  })
})
