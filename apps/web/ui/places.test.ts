import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pages } from '../console/pages.ts'
import { permissionsEn } from './messages/permissions-en.ts'

const WEB = join(import.meta.dirname, '..')
const files = (pattern: string) => globSync(pattern, { cwd: WEB }).map((file) => file.replaceAll('\\', '/'))

describe('the places of the web', () => {
  test('routes/ holds routes, pages, tabs and texts; what they are made of is in parts/', () => {
    const odd = files('*/routes/**/*.*').filter(
      (file) => !/\/((\w[\w-]*-)?route|[\w-]+-(page|tab))\.tsx$|\/texts\.(en|ro)\.ts$/.test(file),
    )
    assert.deepEqual(odd, [])
  })

  test('every page of the console names the permission that it needs, and every such permission has a name', () => {
    const sources = files('console/routes/**/*route.tsx').map((file) => readFileSync(join(WEB, file), 'utf8'))
    const routes = sources.flatMap((source) => source.split('createRoute({').slice(1))
    assert.ok(routes.length > 20)
    const needs = routes.map((route) => /staticData: \{ needs: (null|'[^']+'|needsOf\('[^']+'\)) \}/.exec(route)?.[1])
    assert.deepEqual(
      needs.filter((needed) => needed === undefined),
      [],
    )
    const ofPages = pages.flatMap(({ anyOf }) => anyOf.map((permission) => `'${permission}'`))
    const named = new Set(Object.keys(permissionsEn).map((name) => `'${name}'`))
    assert.deepEqual(
      [...needs, ...ofPages].filter((one) => one?.startsWith("'") && !named.has(one.replace('.', '_'))),
      [],
    )
  })

  test('the route of every page in a menu needs what the list of pages says', () => {
    const sources = files('console/routes/**/*route.tsx').map((file) => readFileSync(join(WEB, file), 'utf8'))
    const guarded = sources.flatMap((source) => [...source.matchAll(/needsOf\('([^']+)'\)/g)].map(([, path]) => path))
    for (const { path } of pages) assert.ok(guarded.includes(path), path)
  })

  test('every file of texts exists in both languages', () => {
    const of = (language: string) => files(`*/**/texts.${language}.ts`).map((file) => file.replace(/\w+\.ts$/, ''))
    assert.ok(of('en').length > 20)
    assert.deepEqual(of('ro').sort(), of('en').sort())
  })
})
