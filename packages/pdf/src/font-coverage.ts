const FORMAT_12 = 12
const GROUP_BYTES = 12

/** The code points for which a TrueType font has a glyph, from subtable format 12 of its `cmap` table. */
export function readCodePoints(font: Buffer): Set<number> {
  const cmap = tableOffset(font, 'cmap')
  const subtables = font.readUInt16BE(cmap + 2)
  for (let index = 0; index < subtables; index++) {
    const subtable = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4)
    if (font.readUInt16BE(subtable) === FORMAT_12) return readGroups(font, subtable)
  }
  throw new Error('The font has no character map of format 12.')
}

function tableOffset(font: Buffer, name: string): number {
  const tables = font.readUInt16BE(4)
  for (let index = 0; index < tables; index++) {
    const record = 12 + index * 16
    if (font.toString('latin1', record, record + 4) === name) return font.readUInt32BE(record + 8)
  }
  throw new Error(`The font has no table ${name}.`)
}

function readGroups(font: Buffer, subtable: number): Set<number> {
  const codePoints = new Set<number>()
  const groups = font.readUInt32BE(subtable + 12)
  for (let index = 0; index < groups; index++) {
    const group = subtable + 16 + index * GROUP_BYTES
    const last = font.readUInt32BE(group + 4)
    for (let code = font.readUInt32BE(group); code <= last; code++) codePoints.add(code)
  }
  return codePoints
}
