import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

// STYLE.md, "Language": plain technical English in what people read. A short list of words that never belong there.

const ODD =
  /\banew\b|\bat hand\b|\bwhat came of\b|\bwho comes late\b|\bliving (?:record|row)s?\b|\bwhoever\b|\bthereof\b|\b(?:is|are|was|were) told\b(?! apart)|\bspeaks? against\b|\blies in\b|\b(?:can|could) be had\b|\bwas looked at\b|\bby any road\b|\bas unknown as\b|\bwithout gap or double\b|’s eyes\b/i
/** In texts for people besides: words that no native speaker writes there. */
const STIFF =
  /\bmeanwhile\b|\bgive a (?:short )?(?:name|title)\b|\b(?:anybody|anyone) who is free\b|\ba time to come\b|\bby a program\b|\ba real day\b|\btake (?:it|the \w+) out\b|\b(?:is|are) \w+ed already\b/i
const SOURCES = ['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts', 'scripts/**/*.ts']
const QUOTED = `(?:'((?:\\\\.|[^'\\\\\\n])*)'|\`((?:\\\\.|[^\`\\\\\\n])*)\`)`

const COMMENT = /(?:^|\s)\/\/ .*|\/\*[\s\S]*?\*\//g

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The quoted texts that follow `before` in the files. */
function textsAfter(before: string, files: string[]): { path: string; text: string }[] {
  const pattern = new RegExp(`${before}${QUOTED}`, 'g')
  return files.flatMap((path) =>
    [...read(path).matchAll(pattern)].map((match) => ({ path, text: match[1] ?? match[2] ?? '' })),
  )
}

const odd = (texts: { path: string; text: string }[]) =>
  texts.filter(({ text }) => ODD.test(text)).map(({ path, text }) => `${path}: ${text}`)

const stiff = (texts: { path: string; text: string }[]) =>
  texts.filter(({ text }) => STIFF.test(text)).map(({ path, text }) => `${path}: ${text}`)

describe('language', () => {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))

  test('names of tests are plain', () => {
    const names = textsAfter(
      String.raw`\b(?:test|describe)(?:\.\w+)?\(\s*`,
      files.filter((path) => path.endsWith('.test.ts')),
    )
    assert.ok(names.length > 1_000)
    assert.deepEqual(odd(names), [])
  })

  test('summaries and descriptions are plain', () => {
    const texts = textsAfter(String.raw`\b(?:summary|description): `, files)
    assert.ok(texts.length > 300)
    assert.deepEqual([...odd(texts), ...stiff(texts)], [])
  })

  test('refusals are plain', () => {
    const errors = files.filter((path) => path.endsWith('errors.ts') || path.endsWith('refusals.ts'))
    const texts = textsAfter('', errors)
    assert.ok(texts.length > 300)
    assert.deepEqual([...odd(texts), ...stiff(texts)], [])
  })

  test('texts of the web apps are plain', () => {
    const texts = textsAfter('', globSync(['apps/web/ui/messages/*en.ts', 'apps/web/**/texts.en.ts'], { cwd: root }))
    assert.ok(texts.length > 300)
    assert.deepEqual([...odd(texts), ...stiff(texts)], [])
  })

  test('comments are plain', () => {
    const sources = [...SOURCES, 'apps/web/**/*.{ts,tsx}', 'bench/**/*.ts'].flatMap((pattern) =>
      globSync(pattern, { cwd: root, exclude: (path) => path.includes('node_modules') || path.includes('dist') }),
    )
    const texts = sources
      .filter((path) => !path.endsWith('language.test.ts'))
      .flatMap((path) => [...read(path).matchAll(COMMENT)].map((match) => ({ path, text: match[0] })))
    const functions = globSync('database/functions/*.sql', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/-- .*/g)].map((match) => ({ path, text: match[0] })),
    )
    assert.ok(texts.length > 3_000)
    assert.ok(functions.length > 300)
    assert.deepEqual(odd([...texts, ...functions]), [])
  })

  test('documents are plain', () => {
    const documents = ['*.md', 'docs/{decisions,operations,spec}/*.md', 'apps/*/README.md'].flatMap((pattern) =>
      globSync(pattern, { cwd: root }),
    )
    const lines = documents
      .filter((path) => path !== 'STYLE.md')
      .flatMap((path) =>
        read(path)
          .split('\n')
          .map((text) => ({ path, text })),
      )
    assert.ok(lines.length > 1_000)
    assert.deepEqual(odd(lines), [])
  })

  test('odd words are found', () => {
    assert.match('Find all members anew', ODD)
    assert.doesNotMatch('Re-evaluate a segment in the background', ODD)
    assert.match('The hold is booked already.', STIFF)
    assert.doesNotMatch('This hold has already been booked.', STIFF)
  })
})
