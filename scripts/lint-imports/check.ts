import { PURE, READ_ENVIRONMENT, ROOMS } from './rooms.ts'
import { importsOf, linesWith } from './source.ts'

interface Violation {
  line: number
  message: string
}

const ENVIRONMENT = /\bprocess\.env\b|\bprocess\[|from 'node:process'/g
const CLOCK_OR_CHANCE = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b/g

export function checkFile(file: string, source: string): Violation[] {
  return [...checkImports(file, source), ...checkEnvironment(file, source), ...checkPurity(file, source)].sort(
    (a, b) => a.line - b.line,
  )
}

function checkImports(file: string, source: string): Violation[] {
  const room = ROOMS.find(({ files }) => matches(file, files, file))
  if (!room) return [{ line: 1, message: 'belongs to no room: give it one in scripts/lint-imports/rooms.ts.' }]
  return importsOf(file, source)
    .filter(({ target, typeOnly }) => {
      const names = typeOnly ? [target, `type:${target}`] : [target]
      const has = (patterns: readonly string[] = []) => names.some((name) => matches(name, patterns, file))
      return !has(room.mayImport) || has(room.never)
    })
    .map(({ target, line }) => ({ line, message: `imports ${target}, but ${room.name} ${room.rule}` }))
}

function checkEnvironment(file: string, source: string): Violation[] {
  if (matches(file, READ_ENVIRONMENT, file)) return []
  return linesWith(source, ENVIRONMENT).map((line) => ({
    line,
    message: 'reads process.env, but only entry files, scripts and tests do: take what you need as a parameter.',
  }))
}

function checkPurity(file: string, source: string): Violation[] {
  if (!matches(file, PURE, file)) return []
  return linesWith(source, CLOCK_OR_CHANCE).map((line) => ({
    line,
    message: 'asks the clock or chance, but rules take `now` as a parameter.',
  }))
}

function matches(name: string, patterns: readonly string[], file: string): boolean {
  return patterns.some((pattern) => toRegExp(pattern, file).test(name))
}

/** The folder of its feature, or the folder that the file is in. */
const ownFolderOf = (file: string): string =>
  /^apps\/[^/]+\/src\/features\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0] ?? file.split('/').slice(0, -1).join('/')

function toRegExp(pattern: string, file: string): RegExp {
  const source = pattern
    .replace('{own}', ownFolderOf(file))
    .replace('{app}', file.split('/').slice(0, 2).join('/'))
    .replace(/[.+()$]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`)
    .replace(/\*\*\/|\*\*|\*/g, (star) => (star === '**/' ? '(?:.*/)?' : star === '**' ? '.*' : '[^/]*'))
  return new RegExp(`^${source}$`)
}
