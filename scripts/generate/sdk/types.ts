/** What of JSON Schema a type is made from. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  not?: Schema
  /** The types of a value that the schema itself does not check. */
  'x-any-of'?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  prefixItems?: Schema[]
  description?: string
}

/** `export interface Location {…}`, one line per property. */
export function typeLines(name: string, schema: Schema): string {
  if (!schema.properties || schema.type !== 'object' || schema.anyOf || schema.oneOf || schema.allOf)
    return `export type ${name} = ${typeOf(schema)}`
  const lines = members(schema).map((member) => `  ${member}`)
  return lines.length === 0
    ? `export type ${name} = Record<string, unknown>`
    : [`export interface ${name} {`, ...lines, '}'].join('\n')
}

export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.not && Object.keys(schema.not).length === 0) return 'never'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf ?? schema['x-any-of']
  if (choices) return union(choices.map(typeOf))
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ')
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat()
  return types.length === 0 ? 'unknown' : union(types.map((type) => simpleType(type, schema)))
}

function simpleType(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return arrayType(schema)
    case 'object':
      return objectType(schema)
    default:
      return type
  }
}

function arrayType({ items, prefixItems }: Schema): string {
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`
  const item = typeof items === 'object' ? typeOf(items) : 'unknown'
  return item.includes(' | ') || item.includes(' & ') ? `(${item})[]` : `${item}[]`
}

function objectType(schema: Schema): string {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const values = Object.values(patternProperties)
  if (typeof additionalProperties === 'object') values.push(additionalProperties)
  if (Object.keys(properties).length > 0) return `{ ${members(schema).join('; ')} }`
  return `Record<string, ${values.length > 0 ? union(values.map(typeOf)) : 'unknown'}>`
}

function members({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(
    ([name, schema]) => `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
}

export const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const union = (types: string[]): string => [...new Set(types)].join(' | ')
