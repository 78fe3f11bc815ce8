import { importsOf } from '../lint-imports/source.ts'

// Which test files start a program, or ask whether one is there: themselves or through a file that they import.

const STARTS = /^(node:child_process(#.*)?|npm:playwright-core)$/
const TESTING = 'packages/testing/src'
const PROGRAMS = `${TESTING}/programs.ts`
const TEST_FILE = /^(apps|packages|scripts)\/.*\.test\.ts$/

/** `sources` holds every file of the project by its path from the root. */
export function testsWithPrograms(sources: ReadonlyMap<string, string>): string[] {
  const modules = modulesOf(sources.get(`${TESTING}/index.ts`) ?? '')
  const targets = new Map([...sources].map(([file, source]) => [file, targetsOf(file, source, modules)]))

  function starts(file: string, seen = new Set<string>()): boolean {
    if (STARTS.test(file) || file === PROGRAMS) return true
    if (seen.has(file)) return false
    seen.add(file)
    return (targets.get(file) ?? []).some((target) => starts(target, seen))
  }
  return [...sources.keys()].filter((file) => TEST_FILE.test(file) && starts(file)).sort()
}

/** Of `@tendon/testing` only the modules whose names are imported: nobody takes all of it. */
function targetsOf(file: string, source: string, modules: ReadonlyMap<string, string>): string[] {
  const imported = importsOf(file, source).filter(({ typeOnly }) => !typeOnly)
  const named = [...source.matchAll(/import \{([^}]*)\} from '@tendon\/testing'/g)].flatMap(([, names = '']) =>
    namesIn(names).flatMap((name) => modules.get(name) ?? []),
  )
  return [...imported.map(({ target }) => (target === 'package:testing/programs' ? PROGRAMS : target)), ...named]
}

/** Which module each name of the index comes from. */
function modulesOf(index: string): Map<string, string> {
  return new Map(
    [...index.matchAll(/export \{([^}]*)\} from '\.\/([^']+)'/g)].flatMap(([, names = '', from]) =>
      namesIn(names).map((name) => [name, `${TESTING}/${from}`] as const),
    ),
  )
}

const namesIn = (list: string) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
