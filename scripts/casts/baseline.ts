import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../quick-checks.ts'

const PATH = 'scripts/casts/baseline.txt'

/** How many casts of a file the linter finds unsafe, and how many of its lines contain a cast as it is written. */
export interface Casts {
  unsafe: number
  written: number
}

const hasCasts = ({ unsafe, written }: Casts) => unsafe > 0 || written > 0

export type Baseline = ReadonlyMap<string, Casts>

const NONE: Casts = { unsafe: 0, written: 0 }
const KINDS = ['unsafe', 'written'] as const

/** One line per file, sorted, so that two branches that remove casts of different files merge. */
export function parseBaseline(text: string): Baseline {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const match = /^(\S+) (\d+) (\d+)$/.exec(line)
      if (!match) throw new Error(`${PATH}: "${line}" is not a file with two numbers.`)
      const [, file = '', unsafe, written] = match
      return [file, { unsafe: Number(unsafe), written: Number(written) }]
    }),
  )
}

export function formatBaseline(baseline: Baseline): string {
  const lines = [...baseline]
    .filter(([, casts]) => hasCasts(casts))
    .map(([file, { unsafe, written }]) => `${file} ${unsafe} ${written}`)
  return ['# file, unsafe casts, lines with a cast: `npm run casts` lowers these numbers', ...lines.sort(), ''].join(
    '\n',
  )
}

export const readBaseline = () => parseBaseline(readFileSync(join(root, PATH), 'utf8'))

export const writeBaseline = (baseline: Baseline) => writeFileSync(join(root, PATH), formatBaseline(baseline))

/** What differs from the baseline, in words. */
export function compareCasts(baseline: Baseline, found: Baseline): string[] {
  const files = [...new Set([...baseline.keys(), ...found.keys()])].sort()
  return files.flatMap((file) => {
    const allowed = baseline.get(file) ?? NONE
    const present = found.get(file) ?? NONE
    return KINDS.flatMap((kind) => {
      if (present[kind] > allowed[kind])
        return [
          `${file}: ${present[kind]} ${kind} casts, ${allowed[kind]} allowed. Make the types true instead of casting (STYLE.md). If the file moved, run: npm run casts. If it was divided, divide its numbers in ${PATH}.`,
        ]
      if (present[kind] < allowed[kind])
        return [`${file}: ${present[kind]} ${kind} casts, ${allowed[kind]} in ${PATH}. Run: npm run casts`]
      return []
    })
  })
}

/** The baseline with the numbers of a file that is gone given to a new file of the same name. */
export function followRenames(baseline: Baseline, found: Baseline): Baseline {
  const added = [...found].filter(([file, casts]) => !baseline.has(file) && hasCasts(casts)).map(([file]) => file)
  const renamed = new Map<string, string>()
  for (const gone of [...baseline.keys()].filter((file) => !found.has(file))) {
    const at = added.findIndex((file) => basename(file) === basename(gone))
    for (const file of at < 0 ? [] : added.splice(at, 1)) renamed.set(gone, file)
  }
  return new Map([...baseline].map(([file, casts]) => [renamed.get(file) ?? file, casts]))
}

/** The baseline with every number that fell. A number never rises. */
export function lowerBaseline(baseline: Baseline, found: Baseline): Baseline {
  return new Map(
    [...baseline].map(([file, allowed]) => {
      const { unsafe, written } = found.get(file) ?? NONE
      return [file, { unsafe: Math.min(unsafe, allowed.unsafe), written: Math.min(written, allowed.written) }]
    }),
  )
}
