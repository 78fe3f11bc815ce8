import type { RouteTable } from '@tendon/access'
import { accessInWords, methodsOf, pathOf } from '@tendon/http'
import { code, HEAD, table } from './markdown.ts'
import type { Source } from './source.ts'

type Route = RouteTable[number]

export const nameOf = (route: Route): string =>
  `${methodsOf(route)
    .map((method) => method.toUpperCase())
    .join(', ')} ${pathOf(route.url)}`

export const folderLink = (folder: string): string => `[${folder}](../../apps/core/src/features/${folder}/)`

export function routeList({ features }: Source): string {
  const sections = features.map(({ folder, routes }) => {
    const rows = routes.map((route) => [
      code(nameOf(route)),
      accessInWords(route.config?.access),
      route.config?.summary ?? '',
    ])
    return `## ${folderLink(folder)}\n\n${table(['Route', 'Access', 'What it does'], rows)}`
  })
  return `${HEAD}# Routes of the core API

Each heading is the folder of the routes below it, under \`apps/core/src/features/\`.

${sections.join('\n')}`
}
