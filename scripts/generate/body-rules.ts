import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rulesOf } from './body-rules/rules.ts'
import type { ApiDocument } from './sdk/routes.ts'
import type { Source } from './source.ts'

const WEB = join(import.meta.dirname, '../../apps/web')
const WRITES = /useWrite\(\s*'((?:POST|PUT|PATCH) [^']+)'/g

/** The routes that the web writes to. */
export function formRoutes(): string[] {
  const routes = globSync('{console,portal,platform,ui}/**/*.{ts,tsx}', { cwd: WEB })
    .map((file) => readFileSync(join(WEB, file), 'utf8'))

    .flatMap((source) => [...source.matchAll(WRITES)].map(([, route]) => route ?? ''))
  return [...new Set(routes)].sort()
}

/** The plain checks of each body that the web sends, as the contracts have them. */
export const bodyRules = ({ openapi }: Source): string => bodyRulesFrom(openapi as ApiDocument)

export function bodyRulesFrom(document: ApiDocument): string {
  const entries = formRoutes().flatMap((route) => {
    const rules = rulesOf(route, document)
    return rules === undefined ? [] : [`  ${JSON.stringify(route)}: ${JSON.stringify(rules)},`]
  })
  return [
    '// Written by "npm run generate" from the contracts of the routes that the web writes to. Do not edit.',
    "import type { Rules } from './rules.ts'",
    '',
    'export const bodyRules: Readonly<Record<string, Readonly<Record<string, Rules>>>> = {',
    ...entries,
    '}',
    '',
  ].join('\n')
}
