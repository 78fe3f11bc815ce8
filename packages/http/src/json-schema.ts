import { isObject } from '@tendon/contracts'

/** The keywords of JSON Schema that the reference, its examples and CSV are made from. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  /** Of `oneOf`: the member whose value selects one. Each choice enumerates its values. */
  readonly discriminator?: { readonly propertyName: string }
  readonly not?: JsonSchema
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean
  readonly prefixItems?: readonly JsonSchema[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly description?: string
  /** Of a query parameter: the names that its comma-separated list may have (CHOICES in @tendon/contracts). */
  readonly 'x-choices'?: readonly string[]
}

const isList = (value: unknown) => value === undefined || Array.isArray(value)
const isMap = (value: unknown) => value === undefined || isObject(value)

/** Whether a value is a schema: what is followed in it has the type that JSON Schema says. */
export const isJsonSchema = (value: unknown): value is JsonSchema =>
  isObject(value) &&
  (typeof value.type === 'string' || isList(value.type)) &&
  isMap(value.properties) &&
  isMap(value.patternProperties) &&
  isList(value.required) &&
  isList(value.anyOf)

/** The schema in a place of a route that may be empty. */
export const schemaIn = (place: unknown): JsonSchema | undefined => (isJsonSchema(place) ? place : undefined)

/** The contract of the answer with this status. */
export const answerContract = (response: unknown, status: string): JsonSchema | undefined =>
  isObject(response) ? schemaIn(response[status]) : undefined
