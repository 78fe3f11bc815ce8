import { globSync } from 'node:fs'
import { sep } from 'node:path'
import { root } from '../quick-checks.ts'
import type { Baseline, Casts } from './baseline.ts'
import { type Finding, isUnsafeCast } from './linter.ts'
import { linesWithCastIn } from './written.ts'

/** The casts of every file that has one. */
export function countCasts(findings: readonly Finding[]): Baseline {
  const counted = new Map<string, Casts>(
    globSync('{apps,packages}/**/*.{ts,tsx,mjs}', {
      cwd: root,
      exclude: (name) => name.includes('node_modules'),
    }).map((file) => [file.split(sep).join('/'), { unsafe: 0, written: linesWithCastIn(file).length }]),
  )
  for (const { filename } of findings.filter(isUnsafeCast)) {
    const casts = counted.get(filename) ?? { unsafe: 0, written: 0 }
    counted.set(filename, { ...casts, unsafe: casts.unsafe + 1 })
  }
  return counted
}

/** Sums by app or package, and over all. */
export function castsByRoom(counted: Baseline): Baseline {
  const sums = new Map<string, Casts>()
  for (const [file, { unsafe, written }] of [...counted].sort(([one], [other]) => one.localeCompare(other)))
    for (const room of [
      file
        .split('/')
        .slice(0, /^(apps|packages)\//.test(file) ? 2 : 1)
        .join('/'),
      'all',
    ]) {
      const sum = sums.get(room) ?? { unsafe: 0, written: 0 }
      sums.set(room, { unsafe: sum.unsafe + unsafe, written: sum.written + written })
    }
  return sums
}
