import { accessInWords, methodsOf, pathOf, tagOf, titleOf } from '@tendon/http'
import type { RouteTable } from '../../apps/core/src/route-table.ts'
import { code, HEAD, table } from './markdown.ts'
import type { Source } from './source.ts'

type Route = RouteTable[number]

export const nameOf = (route: Route): string =>
  `${methodsOf(route)
    .map((method) => method.toUpperCase())
    .join(', ')} ${pathOf(route.url)}`

/** Feature → its routes, in the order in which features are listed in the app. */
export function byFeature(routes: RouteTable): [feature: string, routes: Route[]][] {
  return [...Map.groupBy(routes, ({ url }) => tagOf(url))]
}

export function routeList({ routes }: Source): string {
  const sections = byFeature(routes).map(([feature, its]) => {
    const rows = its.map((route) => [
      code(nameOf(route)),
      accessInWords(route.config?.access),
      route.config?.summary ?? '',
    ])
    return `## ${titleOf(feature)}\n\n${table(['Route', 'Access', 'What it does'], rows)}`
  })
  return `${HEAD}# Routes of the core API\n\n${sections.join('\n')}`
}
