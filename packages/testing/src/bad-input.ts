import fc from 'fast-check'
import { anyText } from './any-text.ts'

/** Texts that programs often handle incorrectly. */
export const badText = fc.oneof(
  fc.constantFrom(
    '\0',
    'a\0b',
    '\ud800',
    '\udfff x',
    '',
    ' ',
    "'; drop table humans; --",
    '%',
    '_',
    '\\',
    '../../etc/passwd',
    '${7*7}',
  ),
  fc.constantFrom(
    '99999-01-01',
    '0000-00-00',
    '2026-02-30',
    '-infinity',
    'NaN',
    '1e309',
    '-1',
    '9'.repeat(40),
    'x'.repeat(5_000),
    '🦴'.repeat(300),
  ),
  fc.constantFrom(
    '00000000-0000-0000-0000-000000000000',
    '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
    'null',
    'true',
    '[]',
    '{}',
  ),
  anyText(40),
)
const badNumber = fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e308)
export const badValue: fc.Arbitrary<unknown> = fc.oneof(
  badText,
  badNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { __proto__: null }),
  fc.array(badText, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('line1', 'id', 'x', '$ref'), badText, { maxKeys: 3 }),
)
/** Bodies that are not JSON objects, or unusual ones. */
export const rawJsonBodies = fc.constantFrom(
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '12',
  '{"a":1}{"b":2}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"name":"\\u0000"}',
  '{"name":"\\ud800"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  `{"name":"${'x'.repeat(300_000)}"}`,
  '\ufeff{}',
  '{"name":1e999}',
  "{'name':'x'}",
  '{"name":"x",}',
)
