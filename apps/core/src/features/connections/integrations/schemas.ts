import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

const ajv = new Ajv({ allErrors: false, strict: false, useDefaults: true })
formats.default(ajv)
const compiled = new Map<string, ValidateFunction>()

/** What is wrong with a value, in one sentence that repeats no value; fills in defaults. Undefined: it fits. */
export function problemOf(schema: object, value: unknown): string | undefined {
  const key = JSON.stringify(schema)
  let validate = compiled.get(key)
  if (!validate) {
    validate = ajv.compile(schema)
    compiled.set(key, validate)
  }
  if (validate(value)) return undefined
  const [error] = validate.errors ?? []
  if (!error) return 'The value does not fit.'
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'required') return `The field ${String(error.params.missingProperty)} is required.`
  if (error.keyword === 'additionalProperties')
    return `The field ${String(error.params.additionalProperty)} is not known.`
  if (error.keyword === 'enum')
    return `The field ${path} must be one of ${(error.params.allowedValues as string[]).join(', ')}.`
  return `The field ${path} ${error.message ?? 'does not fit'}.`
}
