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

const routeTable = (routes: RouteTable): string =>
  table(
    ['Route', 'Access', 'What it does'],
    routes.map((route) => [code(nameOf(route)), accessInWords(route.config?.access), route.config?.summary ?? '']),
  )

/** The routes that work with permissions that their callers lack. */
const serviceTable = (routes: RouteTable): string =>
  table(
    ['Route', 'Permissions', 'Why'],
    routes.flatMap((route) => {
      const service = route.config?.service
      return service ? [[code(nameOf(route)), service.codes.map(code).join(', '), service.why]] : []
    }),
  )

export function routeList({ features, composer }: Source): string {
  const sections = features.map(({ folder, routes }) => `## ${folderLink(folder)}\n\n${routeTable(routes)}`)
  return `${HEAD}# Routes of the core API and the composer

Each heading is the folder of the routes below it, under \`apps/core/src/features/\`.

${sections.join('\n')}
## [composer](../../apps/composer/src/features/)

The composer answers these itself. The core API forwards those under \`/v1/exercises\`, \`/v1/renders\` and
\`/v1/public/renders\`.

${routeTable(composer.routes)}
## As the service of the clinic

Parts of these routes work with permissions that their callers need not hold (\`asService\`). Row-level security still
gives them rows of one clinic only, and in a patient's request rows of that patient.

${serviceTable(features.flatMap(({ routes }) => routes))}`
}
