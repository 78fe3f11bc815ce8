import type { JsonSchema } from '../json-schema.ts'

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
  'date-time': '2026-11-15T09:30:00.000Z',
  'device-time': '2026-11-15T09:30:00.000Z',
  date: '2026-11-15',
  time: '09:30:00Z',
  email: 'ana.ionescu@mladita.example',
  uri: 'https://mladita.example',
  hostname: 'mladita.example',
  ipv4: '192.0.2.10',
  ipv6: '2001:db8::10',
  'time-zone': 'Europe/Bucharest',
  currency: 'RON',
}

/** A value that fits the schema: its own example where it has one, else the plainest value of its type. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum && schema.enum.length > 0) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  const chosen = choices?.find(({ type }) => type !== 'null') ?? choices?.[0]
  if (chosen) return chosen.properties ? { ...objectExample(schema), ...objectExample(chosen) } : exampleOf(chosen)
  if (schema.allOf) return Object.assign({}, objectExample(schema), ...schema.allOf.map(exampleOf))
  return exampleOfType(typeOf(schema), schema)
}

function typeOf({ type, properties }: JsonSchema): string | undefined {
  if (typeof type === 'string') return type
  return type?.find((one) => one !== 'null') ?? (properties ? 'object' : undefined)
}

function exampleOfType(type: string | undefined, schema: JsonSchema): unknown {
  switch (type) {
    case 'string':
      return textExample(schema)
    case 'integer':
    case 'number':
      return numberExample(schema)
    case 'boolean':
      return true
    case 'array':
      return arrayExample(schema)
    case 'object':
      return objectExample(schema)
    case undefined:
    default:
      return null
  }
}

function textExample({ format, minLength = 0, maxLength = 100 }: JsonSchema): string {
  return (BY_FORMAT[format ?? ''] ?? 'text'.padEnd(minLength, 't')).slice(0, maxLength)
}

function numberExample({ minimum, exclusiveMinimum, maximum = 1 }: JsonSchema): number {
  const lowest = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  return lowest ?? Math.min(1, maximum)
}

function arrayExample({ items, prefixItems, maxItems }: JsonSchema): unknown[] {
  if (prefixItems) return prefixItems.map(exampleOf)
  return typeof items === 'object' && maxItems !== 0 ? [exampleOf(items)] : []
}

function objectExample({ properties, patternProperties, additionalProperties }: JsonSchema): Record<string, unknown> {
  const example: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties ?? {})) example[name] = exampleOf(property)
  for (const [pattern, property] of Object.entries(patternProperties ?? {})) {
    if (new RegExp(pattern, 'u').test('name')) example.name = exampleOf(property)
  }
  if (!properties && typeof additionalProperties === 'object') example.name = exampleOf(additionalProperties)
  return example
}
