import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../quick-checks.ts'

// The patterns that issue and reviews count casts with: by lines, whether the linter finds the cast unsafe or not.
const CAST = /\bas (unknown as |never\b|[A-Z][A-Za-z]+)/
const NO_CAST = /^\s*(\/\/|\/?\*|import\b|export\b)|\bas const\b|\* as /

/** The numbers of the lines that contain a cast. */
export function linesWithCast(source: string): number[] {
  return source.split('\n').flatMap((line, index) => (CAST.test(line) && !NO_CAST.test(line) ? [index + 1] : []))
}

export const linesWithCastIn = (file: string) => linesWithCast(readFileSync(join(root, file), 'utf8'))
