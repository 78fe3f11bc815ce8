import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assemble, type Choice, problemsOfChoice, problemsOfMissing, type Template } from './rules.ts'
import { problemsOfTemplate } from './template-rules.ts'

const LANGUAGES = ['en', 'ro'] as const
type Words = Record<(typeof LANGUAGES)[number], string>

// Text without braces, so that whatever is between {{ and }} was put there by the template or by a value.
const plain = fc.string({ maxLength: 20 }).map((text) => text.replace(/[{}]/g, ''))
const words = (text: string): Words => ({ en: `${text} en`, ro: `${text} ro` })
const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)

/** A valid template: each section once, each placeholder in the body or in a section, between random text. */
const template = fc
  .record({
    placeholders: fc.uniqueArray(fc.record({ key, required: fc.boolean(), place: fc.nat(3) }), {
      selector: (one) => one.key,
      maxLength: 6,
    }),
    sections: fc.uniqueArray(fc.record({ key, default: fc.boolean(), text: plain }), {
      selector: (one) => one.key,
      maxLength: 4,
    }),
    between: plain,
  })
  .map(({ placeholders, sections, between }) => {
    const tokensAt = (place: number) =>
      placeholders
        .filter((one) => one.place % (sections.length + 1) === place)
        .map((one) => `<{{${one.key}}}>`)
        .join(between)
    const body = tokensAt(sections.length) + sections.map((one) => `${between}\n\n{{section:${one.key}}}\n\n`).join('')
    return {
      body_with_placeholders: words(`# ${body}`),
      placeholders: placeholders.map(({ key, required }) => ({ key, required, label: words('L') })),
      toggleable_sections: sections.map((one, place) => ({
        key: one.key,
        default: one.default,
        name: words('N'),
        body: words(`§${place}§ ${one.text}${tokensAt(place)}`),
      })),
    }
  })

const withChoice = template.chain((of) =>
  fc.record({
    of: fc.constant(of),
    values: fc.dictionary(fc.constantFrom('unknown', ...of.placeholders.map((one) => one.key)), fc.string()),
    sections: fc.subarray(['unknown', ...of.toggleable_sections.map((one) => one.key)]),
  }),
)
const choiceOf = ({ values, sections }: { values: Record<string, string>; sections: string[] }): Choice => ({
  placeholder_values: values,
  included_sections: sections,
})

describe('assembling a notice', () => {
  test('a template made by the rules is valid', () => {
    fc.assert(fc.property(template, (of) => assert.deepEqual(problemsOfTemplate(of), {})))
  })

  test('no placeholder is left, in any language, whatever was filled in', () => {
    fc.assert(
      fc.property(withChoice, (given) => {
        const values = Object.fromEntries(
          Object.entries(given.values).map(([name, value]) => [name, value.replace(/[{}]/g, '')]),
        )
        const { body } = assemble(given.of, choiceOf({ ...given, values }))
        assert.deepEqual(Object.keys(body), [...LANGUAGES])
        for (const text of Object.values(body)) assert.doesNotMatch(text, /\{\{|\}\}/)
      }),
    )
  })

  test('every value that is used occurs in the text as it is, in every language that contains its token', () => {
    fc.assert(
      fc.property(withChoice, (given) => {
        const { body, used } = assemble(given.of, choiceOf(given))
        for (const [name, value] of Object.entries(used)) {
          assert.equal(value, given.values[name])
          assert.ok(given.of.placeholders.some((one) => one.key === name))
          for (const text of Object.values(body)) assert.ok(text.includes(`<${value}>`), text)
        }
      }),
    )
  })

  test('the chosen sections occur in the template’s order, and no others', () => {
    fc.assert(
      fc.property(withChoice, (given) => {
        const { body } = assemble(given.of, { placeholder_values: {}, included_sections: given.sections })
        const chosen = given.of.toggleable_sections.flatMap((one, place) =>
          given.sections.includes(one.key) ? [`§${place}§`] : [],
        )
        for (const text of Object.values(body)) assert.deepEqual(text.match(/§\d+§/g) ?? [], chosen)
      }),
    )
  })

  test('unknown placeholders and sections never appear, and are reported', () => {
    fc.assert(
      fc.property(withChoice, (given) => {
        const values = { ...given.values, unknown: 'NEVER' }
        const { body, used } = assemble(given.of, choiceOf({ ...given, values }))
        const isKnown = given.of.placeholders.some((one) => one.key === 'unknown')
        if (!isKnown) for (const text of Object.values(body)) assert.ok(!text.includes('NEVER'))
        assert.equal('unknown' in used && !isKnown, false)
        const problems = problemsOfChoice({ ...given.of, version: 1 }, choiceOf({ ...given, values }))
        assert.equal('placeholder_values.unknown' in problems, !isKnown)
      }),
    )
  })

  test('a value without a letter or digit is missing, and does not get into the text', () => {
    const marks = fc.string({
      unit: fc.constantFrom('-', '–', '…', '.', '?', '_', ' ', '\n', '/', '🙂', '\u00a0'),
      minLength: 1,
    })
    fc.assert(
      fc.property(template, marks, (of, mark) => {
        const values = Object.fromEntries(of.placeholders.map((one) => [one.key, mark]))
        const included_sections = of.toggleable_sections.map((one) => one.key)
        const marked = assemble(of, { placeholder_values: values, included_sections })
        assert.deepEqual(marked, assemble(of, { placeholder_values: {}, included_sections }))
        assert.deepEqual(marked.used, {})
      }),
    )
  })

  test('what is missing is exactly what is required, used and not filled in', () => {
    fc.assert(
      fc.property(withChoice, (given) => {
        const { missing } = assemble(given.of, choiceOf(given))
        const full = assemble(given.of, { ...choiceOf(given), placeholder_values: {} })
        for (const { key: name, required } of given.of.placeholders) {
          const blank = !/[\p{L}\p{N}]/u.test(given.values[name] ?? '')
          assert.equal(missing.includes(name), full.missing.includes(name) && blank)
          if (!required) assert.ok(!missing.includes(name))
        }
        assert.deepEqual(
          Object.keys(problemsOfMissing(given.of, missing)),
          missing.map((name) => `placeholder_values.${name}`),
        )
      }),
    )
  })

  const simple: Template = {
    body_with_placeholders: { en: 'A {{x}} b.\n\n{{section:s}}\n\nC {{y}}.' },
    placeholders: [
      { key: 'x', required: true, label: { en: 'The x' } },
      { key: 'y', required: false, label: { en: 'The y' } },
    ],
    toggleable_sections: [{ key: 's', default: true, name: { en: 'S' }, body: { en: 'S has {{x}}.' } }],
  }
  const bodyOf = (placeholder_values: Record<string, string>, included_sections: string[] = []) =>
    assemble(simple, { placeholder_values, included_sections }).body.en

  test('a value is plain text: tokens, replacement patterns and markup in it are not interpreted', () => {
    assert.equal(bodyOf({ x: '{{y}} {{section:s}} $& $1 <b>', y: 'Y' }), 'A {{y}} {{section:s}} $& $1 <b> b.\n\nC Y.')
    assert.equal(bodyOf({ x: '{{x}}' }, ['s']), 'A {{x}} b.\n\nS has {{x}}.\n\nC.')
  })

  test('an omitted section leaves no gap; a missing required value shows its label, an optional one nothing', () => {
    assert.equal(bodyOf({}), 'A [The x] b.\n\nC.')
    assert.equal(bodyOf({ x: '  ', y: 'Y' }, ['s']), 'A [The x] b.\n\nS has [The x].\n\nC Y.')
  })
})

describe('a template', () => {
  const valid = {
    body_with_placeholders: { en: '{{x}} {{section:s}}', ro: '{{section:s}} {{x}}' },
    placeholders: [{ key: 'x', required: true, label: { en: 'X' } }],
    toggleable_sections: [{ key: 's', default: false, name: { en: 'S' }, body: { en: 'S', ro: 'S' } }],
  }

  test('a template with undeclared, unused, repeated or malformed tokens is refused', () => {
    assert.deepEqual(problemsOfTemplate(valid), {})
    const [x, s] = [valid.placeholders[0], valid.toggleable_sections[0]]
    assert.ok(x && s)
    const cases: [object, string][] = [
      [{ body_with_placeholders: { ...valid.body_with_placeholders, en: '{{z}}{{x}}{{section:s}}' } }, 'body_with_placeholders.en'],
      [{ body_with_placeholders: { ...valid.body_with_placeholders, ro: '{{x}}{{section:s}}{{section:t}}' } }, 'body_with_placeholders.ro'],
      [{ body_with_placeholders: { ...valid.body_with_placeholders, en: '{{ x }}{{x}}{{section:s}}' } }, 'body_with_placeholders.en'],
      [{ body_with_placeholders: { ...valid.body_with_placeholders, en: '{{x}}{{section:s}} }}' } }, 'body_with_placeholders.en'],
      [{ body_with_placeholders: { ro: valid.body_with_placeholders.ro } }, 'body_with_placeholders.en'],
      [{ body_with_placeholders: { ...valid.body_with_placeholders, ro: '{{x}}' } }, 'toggleable_sections.0.key'],
      [{ body_with_placeholders: { en: '{{x}}{{section:s}}{{section:s}}' } }, 'toggleable_sections.0.key'],
      [{ placeholders: [x, { ...x, key: 'y' }] }, 'placeholders.1.key'],
      [{ placeholders: [x, x] }, 'placeholders.1.key'],
      [{ placeholders: [{ ...x, label: { ro: 'X' } }] }, 'placeholders.0.label.en'],
      [{ toggleable_sections: [s, s] }, 'toggleable_sections.1.key'],
      [{ toggleable_sections: [{ ...s, name: { ro: 'S' } }] }, 'toggleable_sections.0.name.en'],
      [{ toggleable_sections: [{ ...s, body: { en: 'S' } }] }, 'toggleable_sections.0.body.ro'],
      [{ toggleable_sections: [{ ...s, body: { en: '{{section:s}}', ro: 'S' } }] }, 'toggleable_sections.0.body.en'],
    ] // biome-ignore format: a table
    for (const [change, field] of cases)
      assert.ok(field in problemsOfTemplate({ ...valid, ...change }), `${field} ${JSON.stringify(change)}`)
  })
})
