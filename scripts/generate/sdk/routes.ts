import { keyOf, type Schema, typeOf } from './types.ts'

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
interface Operation {
  summary?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

/** `export interface Routes {…}`: one line per route, with its summary above it. */
export function routeLines(name: string, document: ApiDocument): string {
  const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => [
      `  /** ${operation.summary ?? ''} */`,
      `  '${method.toUpperCase()} ${path}': ${routeType(operation, document)}`,
    ]),
  )
  return [`export interface ${name} {`, ...lines, '}'].join('\n')
}

function routeType({ parameters = [], requestBody, responses }: Operation, { components }: ApiDocument): string {
  const resolved = parameters.map((one) =>
    one.$ref === undefined ? one : (components.parameters?.[one.$ref.split('/').at(-1) ?? ''] ?? one),
  )
  const takes = (header: string) => resolved.some((one) => one.in === 'header' && one.name === header)
  const members = [
    parametersType(
      'params',
      resolved.filter((one) => one.in === 'path'),
    ),
    parametersType(
      'query',
      resolved.filter((one) => one.in === 'query'),
    ),
    requestBody ? bodyType(requestBody.content, components.schemas) : '',
    takes('If-Match') ? 'versioned: true' : '',
    takes('If-None-Match') ? 'tagged: true' : '',
    `answer: ${answerType(responses)}`,
  ]
  return `{ ${members.filter((member) => member !== '').join('; ')} }`
}

function parametersType(name: string, parameters: Parameter[]): string {
  if (parameters.length === 0) return ''
  const members = parameters.map(({ name: key, required, schema }) => {
    // Comma-separated: the client sends what it is given.
    const type = schema.type === 'array' ? 'string' : typeOf(schema)
    return required ? `${keyOf(key)}: ${type}` : `${keyOf(key)}?: ${type} | undefined`
  })
  return `${name}${parameters.some(({ required }) => required) ? '' : '?'}: { ${members.join('; ')} }`
}

/** A body that may be null may be left out. */
function bodyType(content: Content, schemas: Record<string, Schema>): string {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
  if (type === 'multipart/form-data') return 'body: FormData'
  if (type !== 'application/json') return 'body: Blob | ArrayBuffer | ArrayBufferView'
  const named = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']
  const types = [named?.type].flat()
  return types.includes('null') ? `body?: ${typeOf(schema)} | undefined` : `body: ${typeOf(schema)}`
}

function answerType(responses: Operation['responses']): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = good.map(([, { content }]) => {
    const [media] = Object.entries(content ?? {})
    if (!media) return 'undefined'
    return media[0].includes('json') ? typeOf(media[1].schema) : 'Blob'
  })
  return types.length === 0 ? 'Blob' : [...new Set(types)].join(' | ')
}
