import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createTestDatabase } from '@tendon/testing'
import { features } from '../../apps/core/src/features.ts'
import { nameOf } from './routes.ts'
import { openSource, readFolders } from './source.ts'

const root = join(import.meta.dirname, '../..')

describe('where a route is', () => {
  test('features.ts lists every feature.ts, once', async () => {
    const folders = await readFolders()
    assert.deepEqual(features.map((one) => folders.get(one) ?? '').sort(), [...folders.values()].sort())
  })

  test('the README sends the reader to routes.md, which names the folder of every route', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const source = await openSource(database.url)
    t.after(() => source.close())
    assert.match(readFileSync(join(root, 'README.md'), 'utf8'), /\| an endpoint \|.*docs\/generated\/routes\.md/)

    const sections = readFileSync(join(root, 'docs/generated/routes.md'), 'utf8').split('\n## ').slice(1)
    const ofFolders = sections.filter((section) => section.startsWith('['))
    const listed = ofFolders.flatMap((section) => {
      const folder = /^\[([^\]]+)\]/.exec(section)?.[1] ?? ''
      return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, route]) => `${folder}: ${route}`)
    })
    const { features, routes, composer } = source
    const actual = [
      ...features.flatMap((one) => one.routes.map((route) => `${one.folder}: ${nameOf(route)}`)),
      ...composer.routes.map((route) => `composer: ${nameOf(route)}`),
    ]
    assert.deepEqual(listed.sort(), actual.sort())
    assert.equal(listed.length, routes.length + composer.routes.length)
    for (const { folder, routes: own } of features) {
      if (own.length === 0) continue // reminders have jobs only
      const files = globSync(`apps/core/src/features/${folder}/**/*routes.ts`, { cwd: root })
      assert.ok(files.length > 0, folder)
    }
  })

  test('no constraint is declared by two features', () => {
    const names = features.flatMap(({ constraints }) => Object.keys(constraints))
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
  })
})
