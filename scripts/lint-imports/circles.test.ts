import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findCircles } from './circles.ts'
import { importsOf } from './source.ts'

const circlesOf = (sources: Record<string, string>) =>
  findCircles(
    new Map(
      Object.entries(sources).map(([file, source]) => [file, importsOf(file, source).map(({ target }) => target)]),
    ),
  )

describe('circles of imports', () => {
  test('imports in one direction are none', () => {
    const sources = {
      'src/a.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'",
      'src/b.ts': "import { c } from './c.ts'",
      'src/c.ts': "import fastify from 'fastify'",
    }
    assert.deepEqual(circlesOf(sources), [])
  })

  test('a file that is reached from itself is named with the way there, once', () => {
    const sources = {
      'src/main.ts': "import { a } from './a.ts'",
      'src/a.ts': "import { b } from './parts/b.ts'",
      'src/parts/b.ts': "export * from '../c.ts'",
      'src/c.ts': "const { a } = await import('./a.ts')",
    }
    assert.deepEqual(circlesOf(sources), [['src/a.ts', 'src/parts/b.ts', 'src/c.ts']])
  })

  test('a circle of types counts, and so does a file that imports itself', () => {
    const sources = {
      'src/a.ts': "import type { B } from './b.ts'",
      'src/b.ts': "import { type A } from './a.ts'",
      'src/own.ts': "import { own } from './own.ts'",
    }
    assert.deepEqual(circlesOf(sources), [['src/a.ts', 'src/b.ts'], ['src/own.ts']])
  })
})
