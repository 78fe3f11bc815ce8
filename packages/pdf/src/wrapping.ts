import type { FontChoice, Run } from './font-runs.ts'
import type { Fonts } from './fonts.ts'

/** Invisible; a line may break there. */
const BREAK = '\u200b'
const RIGHT_TO_LEFT = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u
const ISOLATED = /\u2068[^\u2069]*\u2069/gu

/** A string in the first font, or lines in several fonts, of which some read from right to left. */
export type Drawable = string | { runs: Run[]; rtl: boolean }[]

/** A line reads in the direction of its first letter outside isolates, as in a browser with dir=auto. */
export function directed(text: string, { isPlain, runsOf }: FontChoice): Drawable {
  if (isPlain(text)) return text
  return text.split('\n').map((line) => {
    const own = line.replaceAll(ISOLATED, '')
    return { runs: runsOf(line), rtl: RIGHT_TO_LEFT.test(/\p{L}/u.test(own) ? own : line) }
  })
}

/** `room`: the width of the cell or page in em. A word that is wider gets places where it may break. */
export function createWrapping(fonts: Fonts): (text: string, room: number) => string {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const widthOf = (text: string) => {
    let width = 0
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      width += fonts.find(({ characters }) => characters.has(code))?.characters.get(code) ?? 0
    }
    return width
  }
  const cut = (word: string, room: number) => {
    let cutWord = ''
    let used = 0
    for (const { segment } of graphemes.segment(word)) {
      const width = widthOf(segment)
      if (used > 0 && used + width > room) {
        cutWord += BREAK
        used = 0
      }
      cutWord += segment
      used += width
    }
    return cutWord
  }
  return (text, room) => text.replaceAll(/[^ \n]+/g, (word) => (widthOf(word) > room ? cut(word, room) : word))
}
