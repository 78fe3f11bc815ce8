import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { stateIn } from './module-state.testing.ts'

const WEB = join(import.meta.dirname, '..')

/** What belongs to the page and not to a component, and why. Everything else is passed: by a context, a property or the URL. */
const KEPT: Readonly<Record<string, string>> = {
  'ui/api/client.ts: api': 'The client of the API. It keeps nothing between two requests.',
  'ui/api/consent-channel.ts: channel': 'A channel does not receive its own messages, so the page has one.',
  'ui/api/gates.ts: consentGate': 'The client of the API waits at it, outside of every component.',
  'ui/api/gates.ts: signInGate': 'The client of the API waits at it, outside of every component.',
  'ui/feedback/leave.ts: leaveGate':
    'Guards of several routers and pages ask one question, outside of every component.',
  'ui/feedback/toasts.tsx: listeners':
    'Messages come from callbacks that outlive their component, such as a finished write.',
  'ui/feedback/toasts.tsx: nextId': 'Numbers the messages of the page.',
  'ui/feedback/toasts.tsx: shown':
    'Messages come from callbacks that outlive their component, such as a finished write.',
  'ui/format/dates.ts: formats': 'A cache of immutable formatters: one for each time zone.',
  'ui/keyboard/use-keys.ts: pressed': 'Keys are pressed one after the other, whichever component listens.',
  'ui/session/sign-in.ts: channel': 'A channel does not receive its own messages, so the page has one.',
}

describe('state of modules in the web', () => {
  test('modules keep only the state that the list names, with a reason', () => {
    const files = globSync('{console,portal,platform,ui}/**/*.{ts,tsx}', { cwd: WEB }).filter(
      (file) => !/\.(test|testing|gen|types)\.ts$/.test(file),
    )
    assert.ok(files.length > 300)
    const found = files.flatMap((file) =>
      stateIn(file, readFileSync(join(WEB, file), 'utf8')).map((name) => `${file.replaceAll('\\', '/')}: ${name}`),
    )
    assert.deepEqual(found.sort(), Object.keys(KEPT).sort())
  })

  for (const [what, source, names] of [
    ['a variable', 'let count = 0', ['count']],
    ['an exported variable', 'export let count = 0', ['count']],
    ['a map that is written', 'const seen = new Map()\nfunction see() { seen.set(1, 2) }', ['seen']],
    ['a list that grows', 'export const all = []\nexport const add = (one) => all.push(one)', ['all']],
    [
      'an object whose property is assigned',
      "export const tab = { app: '' }\nfunction set() { tab.app = 'x' }",
      ['tab'],
    ],
    ['an imported object that is written', "import { tab } from './tab.ts'\ntab.app = 'x'", ['tab']],
    ['an imported set that is written', "import { all } from '#ui/all.ts'\nall.add(1)", ['all']],
    ['an object with state inside', "import { createGate } from './gates.ts'\nconst gate = createGate()", ['gate']],
    ['a channel', "const others = new BroadcastChannel('x')", ['others']],
  ] as const)
    test(`${what} is found as state`, () => assert.deepEqual(stateIn('ui/a.ts', source), [...names]))

  for (const [what, source] of [
    ['a table', "const COLORS = { red: '#f00' }\nexport const colorOf = (name) => COLORS[name]"],
    ['a set that nobody writes', "const EARLY = new Set(['a'])\nexport const isEarly = (one) => EARLY.has(one)"],
    ['a variable of a function', 'function f() { let count = 0; const seen = new Set(); seen.add(count) }'],
    ['a context and a route', "import { createContext } from 'react'\nexport const Some = createContext(null)"],
  ] as const)
    test(`${what} is no state`, () => assert.deepEqual(stateIn('ui/a.ts', source), []))
})
