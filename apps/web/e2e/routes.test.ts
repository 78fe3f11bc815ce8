import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RESERVED_SLUGS } from '../../core/src/features/tenancy/organizations/routes.ts'
import { routesOf } from './routes.ts'

test('no clinic can have the slug of a page or of a folder of files', () => {
  const pages = (['console', 'portal'] as const).flatMap((app) => routesOf(app).map((path) => path.split('/')[0] ?? ''))
  const folders = readdirSync(join(import.meta.dirname, '../public'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const taken = new Set([...pages.filter((part) => part && !part.startsWith('$')), ...folders])
  assert.ok(taken.has('signed-in'))
  assert.deepEqual(
    [...taken].filter((part) => !RESERVED_SLUGS.has(part)),
    [],
  )
})
