import { isCurrency, isLine, isUuid, LENIENT } from '@tendon/contracts'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { FastifyRouteSchemaDef, FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { Static, TSchema } from 'typebox'
import { type FieldReason, fieldReason, isUnseen } from './field-reasons.ts'

const isWellFormedTime = addFormats.default(new Ajv2020()).compile({ type: 'string', format: 'date-time' })

/** Ajv's own format takes more: leap seconds, which a Date cannot hold, and in UTC the years 0 and 10000. */
function isTime(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return isWellFormedTime(text) && year >= 1 && year <= 9999
}

// Contracts are compiled once, however many servers a process has: each test file starts one.
const strict = createAjv({})
const lenient = createAjv({ coerceTypes: true })
const serializers = new WeakMap<TSchema, Serialize>()
type Serialize = (data: unknown) => string

/** Validates without changing the input: no defaults, all errors. Only text from the address is read as numbers. */
export const validatorCompiler = (({ schema, httpPart }: FastifyRouteSchemaDef<TSchema>): Validate =>
  naming(
    LENIENT in schema ? () => () => true : () => (httpPart === 'body' ? strict : lenient).compile(schema),
  )) satisfies FastifySchemaCompiler<TSchema>

/**
 * Checks a value against its contract, for a route whose contract is LENIENT because its rules also look at other rows:
 * what both find is reported together.
 */
export function shapeOf<Schema extends TSchema>(
  schema: Schema,
  given: unknown,
): { value: Static<Schema> } | { mistakes: Mistakes } {
  const validate = strict.compile<Static<Schema>>(schema)
  if (validate(given)) return { value: given }
  return { mistakes: mistakesOf((validate.errors ?? []).slice(0, MAX_REPORTED_PROBLEMS)) }
}

/** Writes answers by their schema, which strips what it does not declare. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serialize: Serialize | undefined
  return (data) => {
    serialize ??= serializerOf(schema)
    return serialize(data)
  }
}

/** Our own formats: what was stored before a rule is still sent. */
const UNCHECKED = { 'time-zone': true, currency: true, line: true } as const

function serializerOf(schema: TSchema): Serialize {
  const serialize = serializers.get(schema) ?? fastJsonStringify(schema, { ajv: { formats: UNCHECKED } })
  serializers.set(schema, serialize)
  return serialize
}

/** More than anybody reads; a body can hold a hundred thousand mistakes, and to name each takes seconds. */
const MAX_REPORTED_PROBLEMS = 100

interface Check {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}
type Validate = Check & Required<Pick<Check, 'errors'>>

/** Compiled at the first use, not at the start: most servers of a test run serve a few routes. */
function naming(compile: () => Check): Validate {
  let validate: Check | undefined
  const named: Validate = Object.assign(
    (value: unknown): boolean => {
      validate ??= compile()
      const valid = validate(value)
      named.errors = validate.errors?.slice(0, MAX_REPORTED_PROBLEMS) ?? null
      return valid
    },
    { errors: null },
  )
  return named
}

function createAjv(options: { coerceTypes?: boolean }): Ajv2020 {
  // Without Ajv's own optimizing a contract compiles in half the time, and checks as fast.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    discriminator: true,
    code: { optimize: false },
    ...options,
  })
  addFormats.default(ajv)
  ajv.addFormat('date-time', isTime)
  ajv.addFormat('device-time', isWellFormedTime) // A clock may be wrong: what it says is brought into bounds, not refused
  ajv.addFormat('uuid', isUuid) // Ajv's own takes urn:uuid:… too, a second spelling of every id
  ajv.addFormat('time-zone', isTimeZone)
  ajv.addFormat('currency', isCurrency)
  ajv.addFormat('line', isLine)
  return ajv
}

// ICU also knows names that IANA does not: SystemV/… and short ones such as IST and PST, each with a guess at its meaning.
const NOT_IANA = /^(systemv\/.*|(?!cet|eet|est|gmt|hst|met|mst|prc|roc|rok|uct|utc|wet)[a-z]{3})$/i

/** An IANA name such as Europe/Bucharest; offsets such as +02:00 are not zones. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || NOT_IANA.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

interface Described {
  [keyword: string]: unknown
  'x-reason'?: string
  oneOf?: readonly { properties?: Record<string, { enum?: readonly string[] }> }[]
}
type ValidationError = FastifySchemaValidationError & { parentSchema?: Described | undefined; data?: unknown }

/** What is wrong with a request: for people, and for programs. */
interface Mistakes {
  fields: Record<string, string>
  reasons: Record<string, FieldReason>
}

/** Ajv's errors by field name. The first error of a field counts. */
export function mistakesOf(errors: ValidationError[], part = 'body'): Mistakes {
  const mistakes: Mistakes = { fields: {}, reasons: {} }
  for (const error of withoutChoices(errors).map(onTag)) {
    const { instancePath, keyword, params } = error
    const missing = keyword === 'required' ? String(params.missingProperty) : undefined
    const unknown = keyword === 'additionalProperties' ? String(params.additionalProperty) : undefined
    const path = [...instancePath.split('/').slice(1), missing ?? unknown]
      .filter((step) => step !== undefined)
      .join('.')
    const field = path || part
    if (Object.hasOwn(mistakes.fields, field)) continue
    mistakes.fields[field] = missing ? 'is required' : unknown ? 'is not a field of this request' : reasonOf(error)
    mistakes.reasons[field] = fieldReason(error)
  }
  return mistakes
}

/** Of a choice of schemas that has its own words (`x-reason`), the problems of each choice say less than these words. */
function withoutChoices(errors: readonly ValidationError[]): ValidationError[] {
  const choices = errors.filter(({ keyword, parentSchema }) => keyword === 'anyOf' && parentSchema?.['x-reason'])
  const isOfChoice = ({ schemaPath, instancePath }: ValidationError) =>
    choices.some((one) => schemaPath.startsWith(`${one.schemaPath}/`) && instancePath.startsWith(one.instancePath))
  return errors.filter((error) => !isOfChoice(error))
}

/** Ajv reports a member that selects one of several schemas at their object: report it as the member that it is. */
function onTag(error: ValidationError): ValidationError {
  const { keyword, instancePath, params, parentSchema } = error
  if (keyword !== 'discriminator') return error
  const tag = String(params.tag)
  if (params.tagValue === undefined) return { ...error, keyword: 'required', params: { missingProperty: tag } }
  const allowedValues = parentSchema?.oneOf?.flatMap(({ properties }) => properties?.[tag]?.enum ?? []) ?? []
  return { ...error, keyword: 'enum', instancePath: `${instancePath}/${tag}`, params: { allowedValues } }
}

/** Only what people read. */
export const fieldsOf = (errors: ValidationError[], part?: string): Record<string, string> =>
  mistakesOf(errors, part).fields

const FORMATS: Record<string, string> = {
  uuid: 'an id (UUID)',
  email: 'an e-mail address',
  'time-zone': 'an IANA time zone such as Europe/Bucharest',
  line: 'text on one line, without control characters',
  currency: 'a currency code of ISO 4217 such as RON or EUR',
  uri: 'a URL such as https://clinic.example',
  'date-time': 'a time such as 2026-01-31T08:00:00Z',
  'device-time': 'a time such as 2026-01-31T08:00:00Z',
}

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  null: 'null',
}

/** A schema may say in its own words what its pattern asks for: `x-reason`. */
function reasonOf(error: ValidationError): string {
  const { keyword, params, message = 'is not valid', parentSchema } = error
  if (isUnseen(error)) return 'must not be blank'
  const limit = Number(params.limit)
  switch (keyword) {
    case 'type':
      return `must be ${typesInWords(params.type)}`
    case 'enum':
      return `must be one of ${[params.allowedValues].flat().map(String).join(', ')}`
    case 'format':
      return `must be ${FORMATS[String(params.format)] ?? `a valid ${String(params.format)}`}`
    case 'pattern':
      return params.pattern === '\\S' ? 'must not be blank' : (parentSchema?.['x-reason'] ?? message)
    case 'minLength':
      return limit === 1 ? 'must not be blank' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
      return `must have at most ${limit} ${limit === 1 ? 'entry' : 'entries'}`
    case 'uniqueItems':
      return 'must not contain duplicates'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minProperties':
      return 'must contain at least one field to change'
    default:
      return parentSchema?.['x-reason'] ?? message
  }
}

const typesInWords = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => TYPES[String(type)] ?? String(type))
    .join(' or ')
