import fc from 'fast-check'

/**
 * Any code point except surrogates. Like `unit: 'binary'`, but without fast-check's table, which takes most of a
 * second per file.
 */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))

/** Any text that can be encoded as UTF-8, sometimes a property name that JavaScript itself uses. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ unit: character, maxLength }), fc.string({ maxLength }))
}
