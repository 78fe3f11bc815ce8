import fc from 'fast-check'

/** Any code point but surrogates. As `unit: 'binary'`, of which fast-check first makes a map: most of a second a file. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))

/** Any text that can be written as UTF-8, and now and then a name that JavaScript itself uses. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ unit: character, maxLength }), fc.string({ maxLength }))
}
