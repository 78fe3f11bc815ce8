import { isFilledIn } from '@tendon/contracts'
import { PLACE, pathsIn, type Values } from './path-rules.ts'

// Replaces {{path}} in the texts of a template. Nothing is said about a value that is not known: the sentence is left out.
// A value without a letter or digit, such as "-", is not known.

/** [[…]] with a path inside is left out alone when its value is not known; the rest of the sentence stays. */
const OPTIONAL = /\[\[((?:(?!\[\[|\]\]).)*)\]\]/gsu
/** A sentence ends before a space, but not after a short title such as "Dr." or "Tel.". */
const SENTENCE_END = /(?<=[.!?…])(?<!(?:^|[\s(])(?:\p{Lu}\p{L}{0,2}|Prof)\.)(?=\s)/u
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const ISOLATES = /[\u2066-\u2069]/gu

/** Replaces paths once: a value that contains {{path}} is printed literally. */
export function filled(text: string, values: Values): string {
  const known = new Map(Object.entries(values).filter(([, value]) => value !== undefined && isFilledIn(value)))
  const valueOf = (path: string) => known.get(path) ?? ''
  const isKnown = (part: string) => pathsIn(part).every((path) => valueOf(path) !== '')
  return text
    .replaceAll(OPTIONAL, (whole, part: string) => (!part.includes('{{') ? whole : isKnown(part) ? part : ''))
    .split('\n')
    .flatMap((line) => {
      if (isKnown(line)) return [line]
      const said = line.split(SENTENCE_END).map(withoutUnknownClauses).filter(isKnown).join('').trim()
      return said === '' ? [] : [said]
    })
    .join('\n')
    .replaceAll(PLACE, (_place, path: string) => isolated(valueOf(path.trim())))

  /** ", born on {{patient.birth_date}}," between two commas can be left out alone, and so can an item of a list. */
  function withoutUnknownClauses(sentence: string): string {
    const clauses = sentence.split(',')
    const isEnd = (place: number) => place === 0 || place === clauses.length - 1
    const isSaid = (clause: string, place: number) =>
      pathsIn(clause).some((path) => valueOf(path) !== '') ||
      isKnown(clause) ||
      (isEnd(place) && /\p{L}/u.test(clause.replaceAll(PLACE, '')))
    return clauses.filter(isSaid).join(',')
  }
}

/** A value that reads from right to left must not move the words and numbers beside it. */
const isolated = (value: string): string =>
  RIGHT_TO_LEFT.test(value) ? `\u2068${value.replaceAll(ISOLATES, '')}\u2069` : value
