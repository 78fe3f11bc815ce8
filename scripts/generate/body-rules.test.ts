import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { validatorCompiler } from '@tendon/http'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { bodyRules } from '../../apps/web/ui/form/body-rules.gen.ts'
import { checkBody, type Rules } from '../../apps/web/ui/form/rules.ts'
import { openApiDocuments } from '../openapi/documents.ts'
import { bodyOf } from './body-rules/rules.ts'
import { bodyRulesFrom } from './body-rules.ts'
import type { ApiDocument } from './sdk/routes.ts'

const FORM = join(import.meta.dirname, '../../apps/web/ui/form')
const MAX_GZIP_BYTES = 6_000

describe('the checks of forms', async () => {
  const { core } = await openApiDocuments()
  const document = core as ApiDocument

  test('weigh at most 6 KB with their rules', async () => {
    const sources = await Promise.all(
      ['body-rules.gen.ts', 'rules.ts'].map((name) => readFile(join(FORM, name), 'utf8')),
    )
    assert.equal(sources[0], bodyRulesFrom(document))
    const bytes = gzipSync(sources.join('\n')).length
    assert.ok(bytes <= MAX_GZIP_BYTES, `${bytes} bytes`)
  })

  for (const [route, rules] of Object.entries(bodyRules)) {
    test(`the checks of forms refuse nothing that ${route} takes, and find what its contract limits`, () => {
      const validate = contractOf(route, document)
      fc.assert(
        fc.property(bodies(rules), (body) => {
          const reasons = checkBody(body, rules)
          if (Object.keys(reasons).length > 0) assert.equal(validate(body), false, JSON.stringify({ body, reasons }))
        }),
        { numRuns: 300 },
      )
    })
  }
})

/** The server's own validator for the body of a route. */
function contractOf(route: string, document: ApiDocument): (body: unknown) => boolean {
  const schema: TSchema = { ...bodyOf(route, document), components: document.components }
  const validate = validatorCompiler({ schema, method: 'POST', url: route, httpPart: 'body' })
  return (body) => validate(body) === true
}

/** Bodies near the limits: each field fits, or is wrong in one of the ways that people make mistakes. */
const bodies = (rules: Readonly<Record<string, Rules>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(Object.entries(rules).map(([name, field]) => [name, valuesOf(field)])), {
    requiredKeys: [],
  })

function valuesOf(rules: Rules): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>('', ' ', null, undefined, 0, 1.5, -1, true, 'x')
  if (rules.fields) return fc.oneof({ weight: 4, arbitrary: bodies(rules.fields) }, odd)
  if (rules.items || rules.maxItems !== undefined) {
    const item = rules.items ? valuesOf(rules.items) : fc.string()
    return fc.oneof(
      { weight: 4, arbitrary: fc.array(item, { maxLength: (rules.maxItems ?? 3) + 1, size: 'small' }) },
      odd,
    )
  }
  if (rules.type) return fc.oneof({ weight: 4, arbitrary: numbersNear(rules) }, odd)
  return fc.oneof({ weight: 4, arbitrary: textsNear(rules) }, odd)
}

const numbersNear = ({ minimum = 0, maximum = 100 }: Rules) =>
  fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1),
  )

function textsNear({ minLength = 0, maxLength = 20, pattern, enum: values }: Rules): fc.Arbitrary<string> {
  // One sign of two code units: the server counts signs.
  const lengths = fc.constantFrom(minLength - 1, minLength, maxLength, maxLength + 1).filter((length) => length >= 0)
  return fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    lengths.chain((length) => fc.constantFrom('a', ' ', '😀', '1').map((sign) => sign.repeat(length))),
    ...(values ? [fc.constantFrom(...values)] : []),
    ...(pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern, 'u'))]),
  )
}
