import type { JsonSchema } from '../json-schema.ts'
import { reference } from './components.ts'
import { contractNames, coreOf } from './contract-names.ts'
import { exampleOf } from './example.ts'

export interface SchemaWriter {
  /** The schema as the document shows it: named contracts are references. */
  show: (schema: JsonSchema) => JsonSchema
  /** The named contracts that were shown. */
  components: () => Record<string, JsonSchema>
}

type Discriminator = NonNullable<JsonSchema['discriminator']>

/** What a copy may say differently and still be the same contract. */
const OWN = new Set(['type', 'description', 'examples', 'default'])
const CHILDREN = ['items', 'additionalProperties', 'not'] as const
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const MAPS = ['properties', 'patternProperties'] as const

export function schemaWriter(): SchemaWriter {
  const names = contractNames()
  const components: Record<string, JsonSchema> = {}

  /** Inside a component the examples of single properties are left out: the component has an example of the whole. */
  function copy(schema: JsonSchema, inComponent: boolean): JsonSchema {
    const { examples, ...rest } = schema
    const copied: Record<string, unknown> = inComponent || examples === undefined ? { ...rest } : { ...rest, examples }
    const nested = (one: JsonSchema) => write(one, inComponent)
    for (const key of CHILDREN) {
      const child = schema[key]
      if (typeof child === 'object') copied[key] = nested(child)
    }
    for (const key of LISTS) if (schema[key]) copied[key] = schema[key].map(nested)
    for (const key of MAPS) {
      if (!schema[key]) continue
      copied[key] = Object.fromEntries(Object.entries(schema[key]).map(([name, one]) => [name, nested(one)]))
    }
    const { discriminator, oneOf } = schema
    if (discriminator && oneOf) copied.discriminator = { ...discriminator, mapping: mapping(discriminator, oneOf) }
    return copied
  }

  /** Each value of the member that selects, with the component of its choice. */
  const mapping = ({ propertyName }: Discriminator, choices: readonly JsonSchema[]) =>
    Object.fromEntries(
      choices.flatMap((choice) =>
        (choice.properties?.[propertyName]?.enum ?? []).map((value) => [value, write(choice).$ref]),
      ),
    )

  function write(schema: JsonSchema, inComponent = false): JsonSchema {
    const core = coreOf(schema)
    const named = core && names.get(core)
    if (!named || !isCopy(schema, named.schema)) return copy(schema, inComponent)
    if (!components[named.name]) {
      components[named.name] = named.schema // a contract that holds itself ends here
      components[named.name] = { ...copy(named.schema, true), examples: [exampleOf(named.schema)] }
    }
    const ref = reference('schemas', named.name)
    const { description } = schema
    const own = description !== undefined && description !== named.schema.description ? { description } : {}
    const nullable = Array.isArray(schema.type) && !Array.isArray(named.schema.type)
    return nullable ? { anyOf: [ref, { type: 'null' }], ...own } : { ...ref, ...own }
  }

  const byName = (a: string, b: string) => (a < b ? -1 : 1)
  return {
    show: (schema) => write(schema),
    components: () => Object.fromEntries(Object.entries(components).sort(([a], [b]) => byName(a, b))),
  }
}

function isCopy(schema: JsonSchema, contract: JsonSchema): boolean {
  const rest = (one: JsonSchema) => Object.entries(one).filter(([key]) => !OWN.has(key))
  const wanted = new Map<string, unknown>(rest(contract))
  const given = rest(schema)
  return given.length === wanted.size && given.every(([key, value]) => wanted.get(key) === value)
}
