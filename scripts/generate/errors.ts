import type { RouteTable } from '@tendon/access'
import { methodNotAllowed, type Refusal, SHARED_REFUSALS } from '@tendon/http'
import { code, HEAD, lines, table } from './markdown.ts'
import { folderLink, nameOf } from './routes.ts'
import type { Source } from './source.ts'

const COLUMNS = ['Status', 'Code', 'Message', 'Routes']

export function errorTable({ features, composer }: Source): string {
  const shared = [
    ...SHARED_REFUSALS.map(({ refusal, where }) => ({ refusal, where })),
    { refusal: methodNotAllowed, where: 'addresses that take another method' },
  ]
  const own = features
    .map(({ folder, routes }): [string, string[][]] => [folder, refusalRows(routes)])
    .filter(([, rows]) => rows.length > 0)
    .map(([folder, rows]) => `## ${folderLink(folder)}\n\n${table(COLUMNS, rows)}`)
  return `${HEAD}# Refusals

\`{"error": {"code", "message", …}}\`: the code is for programs and stays, the message is for people and may change.

Names such as \`ValidationError\` are of the other shape, which custom fields, profiles and segments have for the content of
requests: \`{"status", "name", "message", "details"}\`.

## Anywhere

${table(
  ['Status', 'Code', 'Message', 'Given by'],
  shared.sort((a, b) => order(a.refusal, b.refusal)).map(({ refusal, where }) => [...describe(refusal), where]),
)}
${own.join('\n')}
## [composer](../../apps/composer/src/features/)

${table(COLUMNS, refusalRows(composer.routes))}`
}

/** Those that the routes declare, each with the routes that do. */
function refusalRows(routes: RouteTable): string[][] {
  const declared = routes.flatMap((route) => (route.config?.refusals ?? []).map((refusal) => ({ refusal, route })))
  return [...Map.groupBy(declared, ({ refusal }) => describe(refusal).join('\n')).values()]
    .flatMap(([first, ...others]) => (first ? [{ refusal: first.refusal, all: [first, ...others] }] : []))
    .sort((a, b) => order(a.refusal, b.refusal))
    .map(({ refusal, all }) => [...describe(refusal), lines(all.map(({ route }) => code(nameOf(route))))])
}

const describe = ({ status, code: name, words }: Refusal): string[] => [String(status), code(name), words]

const order = (a: Refusal, b: Refusal): number =>
  a.status - b.status || compare(a.code, b.code) || compare(a.words, b.words)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
