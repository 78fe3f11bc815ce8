import type { Rules } from '../../../apps/web/ui/form/rules.ts'
import type { ApiDocument } from '../sdk/routes.ts'
import type { Schema } from '../sdk/types.ts'

interface Checked extends Schema {
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  minItems?: number
  maxItems?: number
}

/** Deeper parts of a body are checked by the server only. */
const MAX_DEPTH = 3

/** The rules of each field of a route's body; undefined for a body that is no JSON object. */
export function rulesOf(route: string, document: ApiDocument): Record<string, Rules> | undefined {
  const schema = bodyOf(route, document)
  return schema && fieldRules(schema, document, 0)
}

export function bodyOf(route: string, { paths }: ApiDocument): Schema | undefined {
  const [method = '', path = ''] = route.split(' ')
  return paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
}

function fieldRules(given: Schema, document: ApiDocument, depth: number): Record<string, Rules> | undefined {
  const { properties, required = [] } = resolve(given, document)
  if (!properties || depth > MAX_DEPTH) return undefined
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, schema]) => [name, fieldRule(schema, required.includes(name), document, depth)] as const)
      .filter(([, rules]) => Object.keys(rules).length > 0),
  )
}

function fieldRule(given: Schema, isRequired: boolean, document: ApiDocument, depth: number): Rules {
  const schema = resolve(given, document)
  const types = [schema.type].flat().filter((type) => type !== undefined)
  const [type] = types.filter((one) => one !== 'null')
  const isPlain = types.length > 0 && !schema.anyOf && !schema.oneOf && !schema.allOf && !schema.not
  const start: Rules = {
    ...(isRequired ? { required: true } : {}),
    ...(types.includes('null') ? { nullable: true } : {}),
  }
  if (!isPlain) return start
  if (type === 'string') return { ...start, ...textRules(schema) }
  if (type === 'integer' || type === 'number') return { ...start, type, ...pick(schema, ['minimum', 'maximum']) }
  if (type === 'array') {
    const items = typeof schema.items === 'object' ? fieldRule(schema.items, false, document, depth + 1) : {}
    return {
      ...start,
      ...pick(schema, ['minItems', 'maxItems']),
      ...(Object.keys(items).length > 0 ? { items } : {}),
    }
  }
  const fields = type === 'object' ? fieldRules(schema, document, depth + 1) : undefined
  return { ...start, ...(fields && Object.keys(fields).length > 0 ? { fields } : {}) }
}

const textRules = (schema: Checked): Rules => ({
  ...pick(schema, ['minLength', 'maxLength', 'pattern']),
  ...(schema.enum ? { enum: schema.enum.filter((value) => typeof value === 'string') } : {}),
})

const pick = (
  schema: Checked,
  names: readonly ('minimum' | 'maximum' | 'minLength' | 'maxLength' | 'pattern' | 'minItems' | 'maxItems')[],
): Rules => Object.fromEntries(names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]]))

function resolve(schema: Schema, document: ApiDocument): Checked {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolve(document.components.schemas[name] ?? {}, document)
}
