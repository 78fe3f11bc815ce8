import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { REASON_CODES } from '@tendon/http'
import { createTranslator } from 'use-intl/core'
import { consoleEn } from '../../console/messages/en.ts'
import { consoleRo } from '../../console/messages/ro.ts'
import { platformEn } from '../../platform/messages/en.ts'
import { platformRo } from '../../platform/messages/ro.ts'
import { portalEn } from '../../portal/messages/en.ts'
import { portalRo } from '../../portal/messages/ro.ts'
import { uiEn } from './en.ts'
import { uiRo } from './ro.ts'

const WEB = join(import.meta.dirname, '../..')
const ROOT = join(WEB, '../..')

type Tree = { [key: string]: string | Tree }
const en: Tree = { ui: uiEn, console: consoleEn, portal: portalEn, platform: platformEn }
const ro: Tree = { ui: uiRo, console: consoleRo, portal: portalRo, platform: platformRo }

const leaves = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  )
const argumentsOf = (message: string) =>
  [...new Set([...message.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name))].sort()

describe('messages', () => {
  const romanian = new Map(leaves(ro))

  test('both languages have the same keys and the same values in them', () => {
    assert.deepEqual(
      leaves(en)
        .map(([key]) => key)
        .sort(),
      [...romanian.keys()].sort(),
    )
    for (const [key, message] of leaves(en))
      assert.deepEqual(argumentsOf(romanian.get(key) ?? ''), argumentsOf(message), key)
  })

  test('every message can be read by the formatter, with every count in Romanian', () => {
    const problems: string[] = []
    for (const [locale, tree] of [
      ['en-GB', en],
      ['ro-RO', ro],
    ] as const) {
      const t = createTranslator({ locale, messages: tree as never, onError: ({ message }) => problems.push(message) })
      for (const [key, message] of leaves(tree))
        for (const count of message.includes('plural') ? [0, 1, 2, 19, 20, 101] : [1]) {
          const values = Object.fromEntries(argumentsOf(message).map((name) => [name, count]))
          t(key as never, values as never)
        }
    }
    assert.deepEqual(problems, [])
  })

  test('Romanian plurals have the three forms', () => {
    for (const [key, message] of leaves(ro))
      if (message.includes(', plural,'))
        for (const form of ['one {', 'few {', 'other {']) assert.ok(message.includes(form), `${key}: ${form}`)
  })

  test('an app uses the texts of ui and its own only', () => {
    for (const app of ['console', 'portal', 'platform', 'ui'])
      for (const file of globSync(`${app}/**/*.{ts,tsx}`, { cwd: WEB })) {
        const source = readFileSync(join(WEB, file), 'utf8')
        for (const [, owner] of source.matchAll(/useTranslations\('(\w+)/g))
          assert.ok(owner === app || owner === 'ui', `${file} uses the texts of ${owner}`)
      }
  })

  /** The routes that the sources of an app call, with those of the parts that all apps share. */
  const routesOf = (app: string): Set<string> => {
    const files = globSync(`{${app},ui}/**/*.{ts,tsx}`, { cwd: WEB })
    const calls = files.flatMap((file) => [
      ...readFileSync(join(WEB, file), 'utf8').matchAll(/'((?:GET|POST|PUT|PATCH|DELETE) \/v1\/[^']+)'/g),
    ])
    return new Set(calls.map(([, route = '']) => route))
  }
  const documented = (name: string) => readFileSync(join(ROOT, 'docs/generated', name), 'utf8')
  const routesIn = (cell: string) => [...cell.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, route = '']) => route)

  for (const app of ['console', 'platform', 'portal'])
    test(`every refusal that pages of the ${app} can meet has a text`, () => {
      const used = routesOf(app)
      assert.ok(used.size > 5, [...used].join())
      const without = new Set<string>()
      for (const part of documented('errors.md').split('\n## '))
        for (const [, code = '', given = ''] of part.matchAll(/^\| \d+ \| `(\w+)` \| .* \| (.*) \|$/gm)) {
          const isMet = part.startsWith('Anywhere') || routesIn(given).some((route) => used.has(route))
          if (isMet && !code.endsWith('_not_found') && !(code in uiEn.refusals)) without.add(code)
        }
      assert.deepEqual([...without], [])
    })

  for (const app of ['console', 'platform'])
    test(`every permission that pages of the ${app} need has a name`, () => {
      const used = routesOf(app)
      const without = [...documented('permissions.md').matchAll(/^\| `([^`]+)` \| .* \| (.*) \|$/gm)]
        .filter(([, , routes = '']) => routesIn(routes).some((route) => used.has(route)))
        .map(([, code = '']) => code.replaceAll('.', '_'))
        .filter((code) => !(code in uiEn.permissions))
      assert.deepEqual(without, [])
    })

  test('every reason that the API gives for a field has a text', () => {
    assert.deepEqual(
      REASON_CODES.filter((code) => !(code in uiEn.reasons)),
      [],
    )
  })
})
