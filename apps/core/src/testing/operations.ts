import { isObject } from '@tendon/contracts'
import { exampleOf, schemaIn } from '@tendon/http'

export interface Operation {
  method: string
  path: string
  /** An example of its body. */
  body: Readonly<Record<string, unknown>> | undefined
  query: string[]
  statuses: string[]
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

const membersOf = (value: unknown) => (isObject(value) ? Object.entries(value) : [])

/** The operations of an OpenAPI document without references. */
export function operationsOf(document: unknown): Operation[] {
  return membersOf(at(document, 'paths')).flatMap(([path, methods]) =>
    membersOf(methods).map(([method, operation]): Operation => {
      const schema = schemaIn(at(operation, 'requestBody', 'content', 'application/json', 'schema'))
      const body = schema && exampleOf(schema)
      return {
        method: method.toUpperCase(),
        path,
        body: isObject(body) ? body : undefined,
        query: [at(operation, 'parameters')]
          .flat()
          .filter((one) => at(one, 'in') === 'query')
          .map((one) => String(at(one, 'name'))),
        statuses: membersOf(at(operation, 'responses')).map(([status]) => status),
      }
    }),
  )
}
