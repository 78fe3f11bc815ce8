import { posix } from 'node:path'

export interface Import {
  /** As the table of rooms names it. */
  target: string
  typeOnly: boolean
  line: number
}

// The clause of an import holds names, braces, commas and stars only; so no other statement can be taken for one.
const STATIC = /^[ \t]*(?:import|export)\b(?<clause>[\w\s{},*$]*\bfrom)?\s*(?<quote>['"])(?<from>[^'"\n]+)\k<quote>/gm
const DYNAMIC = /\bimport\(\s*(?<quote>['"])(?<from>[^'"\n]+)\k<quote>/g

/** Static, type-only and dynamic imports and re-exports of a file. */
export function importsOf(file: string, source: string): Import[] {
  const code = withoutComments(source)
  return [...code.matchAll(STATIC), ...code.matchAll(DYNAMIC)].flatMap((match) => {
    const { clause = '', from = '' } = match.groups ?? {}
    const names = namesIn(clause)
    const typeOnly = /^\s*type\b/.test(clause) || (names.length > 0 && names.every((name) => name.startsWith('type ')))
    const line = lineAt(code, match.index + match[0].length)
    return targetsOf(file, from, names).map((target) => ({ target, typeOnly, line }))
  })
}

/** The lines whose code matches the pattern. */
export function linesWith(source: string, pattern: RegExp): number[] {
  const code = withoutComments(source)
  return [...code.matchAll(pattern)].map((match) => lineAt(code, match.index))
}

/** What stands between the braces. */
function namesIn(clause: string): string[] {
  const names = /\{([^}]*)\}/.exec(clause)?.[1] ?? ''
  return names
    .split(',')
    .map((name) => name.trim().split(' as ')[0] ?? '')
    .filter((name) => name !== '')
}

function targetsOf(file: string, specifier: string, names: string[]): string[] {
  if (!specifier.startsWith('node:')) return [targetOf(file, specifier)]
  return names.length === 0 ? [specifier] : names.map((name) => `${specifier}#${name.replace(/^type /, '')}`)
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(file), specifier))
  // The "imports" of an app's package.json name its folders.
  if (specifier.startsWith('#')) return `${file.split('/').slice(0, 2).join('/')}/${specifier.slice(1)}`
  if (specifier.startsWith('@tendon/')) return `package:${specifier.split('/').slice(1).join('/')}`
  return `npm:${specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')}`
}

const lineAt = (code: string, index: number): number => code.slice(0, index).split('\n').length

/** Comments become blanks, so that lines keep their numbers. Texts stay: a comment sign in one starts no comment. */
function withoutComments(source: string): string {
  return source.replace(
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (part) => (part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part),
  )
}
