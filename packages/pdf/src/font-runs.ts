import type { Font, Fonts } from './fonts.ts'

/** Text that one font prints. */
export interface Run {
  font: string
  text: string
}

const isShown = (character: string) => !/\p{Default_Ignorable_Code_Point}/u.test(character)
const isInk = (character: string) => isShown(character) && !/\s/u.test(character)
/** What no font prints: marks without a letter, and characters without a meaning of their own. */
const MEANINGLESS = /(?<![\p{L}\p{M}])\p{M}|[\p{Co}\p{Cn}]|[^\P{Cf}\p{Default_Ignorable_Code_Point}]/u
const codeOf = (character: string) => character.codePointAt(0) ?? 0

const SYMBOL = /^[\p{P}\p{S}]/u
const NEUTRAL = /^[\p{Script=Common}\p{Script=Inherited}]/u
const RIGHT_TO_LEFT = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** A symbol of one script reads in the direction of this script: the compiler crashes on a run in the other direction. */
const inItsDirection = (sign: string) => {
  if (!SYMBOL.test(sign) || NEUTRAL.test(sign)) return sign
  const mark = RIGHT_TO_LEFT.test(sign) ? '\u200f' : '\u200e'
  return mark + sign + mark
}

/** Which font prints what. A sign is a letter with its marks. */
export function createFontChoice(fonts: Fonts) {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const signsOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)
  const has = ({ characters }: Font, text: string) =>
    Array.from(text).every((character) => !isInk(character) || characters.has(codeOf(character)))
  /** The first font that has the letter, if it has all the marks: two fonts cannot print one sign. */
  const fontOf = (sign: string): Font | undefined => {
    const letter = Array.from(sign).find(isShown) ?? ''
    const font = fonts.find(({ characters }) => characters.has(codeOf(letter)))
    return font && has(font, sign) && !MEANINGLESS.test(sign) ? font : undefined
  }

  /** Whether the first font prints the whole text. */
  const isPlain = (text: string) => has(fonts[0], text) && !MEANINGLESS.test(text)
  const findUnprintable = (text: string) =>
    isPlain(text) ? undefined : signsOf(text).find((sign) => Array.from(sign).some(isInk) && !fontOf(sign))
  /** The parts of a printable text, each with its font: the compiler crashes on some texts when it looks for a second one. */
  const runsOf = (text: string): Run[] => {
    const runs: Run[] = []
    for (const sign of signsOf(text)) {
      const last = runs.at(-1)
      const font = Array.from(sign).some(isInk) ? fontOf(sign)?.family : last?.font
      if (last && font === last.font) last.text += inItsDirection(sign)
      else runs.push({ font: font ?? fonts[0].family, text: inItsDirection(sign) })
    }
    return runs
  }
  return { isPlain, findUnprintable, runsOf }
}
export type FontChoice = ReturnType<typeof createFontChoice>
