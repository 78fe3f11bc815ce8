import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dirname, '..')
const ROUTE = /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(path|id): '([^']*)'/g

interface Declared {
  parent: string
  path: string
}

/** The URL patterns of all pages of an app, such as `$clinic/patients/$id`, read from its sources: a new page is in the list. */
export function routesOf(app: 'console' | 'platform' | 'portal'): string[] {
  const routes = new Map<string, Declared>()
  for (const file of globSync(`${app}/**/*.tsx`, { cwd: WEB })) {
    const source = readFileSync(join(WEB, file), 'utf8')
    const found = [...source.matchAll(ROUTE)]
    if (found.length !== source.split('createRoute({').length - 1)
      throw new Error(`${file}: write each route as const name = createRoute({ getParentRoute: () => parent, path: '…'`)
    for (const [, name = '', parent = '', kind, path = ''] of found)
      routes.set(name, { parent, path: kind === 'id' ? '' : path.replace(/^\/|\/$/g, '') })
  }
  const pathOf = (name: string): string => {
    const route = routes.get(name)
    return route ? [pathOf(route.parent), route.path].filter(Boolean).join('/') : ''
  }
  return [...new Set([...routes.keys()].map(pathOf))].sort()
}

/** Fills in the parameters of a pattern. Throws for a parameter without a value. */
export function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`no value for $${name} of ${pattern}`)
    return value
  })
}
