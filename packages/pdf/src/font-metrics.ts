const FORMAT_4 = 4
const FORMAT_12 = 12
const GROUP_BYTES = 12
const RECORD_BYTES = 8

/** The characters of a font by code point, each with its width in em. */
export type FontMetrics = ReadonlyMap<number, number>

/** Reads a TrueType font. A code point that is missing here has no glyph. */
export function readFontMetrics(font: Buffer): FontMetrics {
  const unitsPerEm = font.readUInt16BE(tableOffset(font, 'head') + 18)
  const longMetrics = font.readUInt16BE(tableOffset(font, 'hhea') + 34)
  const hmtx = tableOffset(font, 'hmtx')
  const widthOf = (glyph: number) => font.readUInt16BE(hmtx + 4 * Math.min(glyph, longMetrics - 1)) / unitsPerEm
  return new Map(glyphsOf(font).map(([code, glyph]) => [code, widthOf(glyph)]))
}

/** Pairs of code point and glyph, from subtable format 12 of the `cmap` table, otherwise format 4. */
function glyphsOf(font: Buffer): [number, number][] {
  const cmap = tableOffset(font, 'cmap')
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => {
    const offset = cmap + font.readUInt32BE(cmap + 4 + index * RECORD_BYTES + 4)
    return { offset, format: font.readUInt16BE(offset) }
  })
  const full = subtables.find(({ format }) => format === FORMAT_12)
  if (full) return readGroups(font, full.offset)
  const basic = subtables.find(({ format }) => format === FORMAT_4)
  if (basic) return readSegments(font, basic.offset)
  throw new Error('The font has no character map of format 4 or 12.')
}

function tableOffset(font: Buffer, name: string): number {
  const tables = font.readUInt16BE(4)
  for (let index = 0; index < tables; index++) {
    const record = 12 + index * 16
    if (font.toString('latin1', record, record + 4) === name) return font.readUInt32BE(record + 8)
  }
  throw new Error(`The font has no table ${name}.`)
}

function readGroups(font: Buffer, subtable: number): [number, number][] {
  const pairs: [number, number][] = []
  const groups = font.readUInt32BE(subtable + 12)
  for (let index = 0; index < groups; index++) {
    const group = subtable + 16 + index * GROUP_BYTES
    const first = font.readUInt32BE(group)
    const last = font.readUInt32BE(group + 4)
    const glyph = font.readUInt32BE(group + 8)
    for (let code = first; code <= last; code++) pairs.push([code, glyph + code - first])
  }
  return pairs.filter(([, glyph]) => glyph !== 0)
}

/** Four arrays of 16-bit numbers, one entry for each segment: last and first code, delta and offset of the glyphs. */
function readSegments(font: Buffer, subtable: number): [number, number][] {
  const pairs: [number, number][] = []
  const arrayBytes = font.readUInt16BE(subtable + 6)
  const lasts = subtable + 14
  const firsts = lasts + arrayBytes + 2
  for (let place = 0; place < arrayBytes; place += 2) {
    const last = font.readUInt16BE(lasts + place)
    const first = font.readUInt16BE(firsts + place)
    const delta = font.readUInt16BE(firsts + arrayBytes + place)
    const offsetAt = firsts + 2 * arrayBytes + place
    const offset = font.readUInt16BE(offsetAt)
    const glyphOf = (code: number) => {
      if (offset === 0) return (code + delta) & 0xffff
      const listed = font.readUInt16BE(offsetAt + offset + 2 * (code - first))
      return listed === 0 ? 0 : (listed + delta) & 0xffff
    }
    for (let code = first; code <= last && code < 0xffff; code++) pairs.push([code, glyphOf(code)])
  }
  return pairs.filter(([, glyph]) => glyph !== 0)
}
