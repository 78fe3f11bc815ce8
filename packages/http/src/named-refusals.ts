import type { FastifyContextConfig, FastifyError, FastifyRequest } from 'fastify'
import { namedRefusal, type Refusal } from './errors.ts'
import type { FieldReason } from './field-reasons.ts'
import { notFound, validationFailed } from './refusals.ts'
import { mistakesOf } from './validation.ts'

// What routes of `config.envelope: 'named'` share: their content is refused in the second shape. What stops a request before
// its content is read (sign-in, permission, consent, headers, limits) is refused in the first shape, as everywhere.

/** How a route refuses content. */
export type ContentStyle = Pick<FastifyContextConfig, 'envelope' | 'invalid'>

interface FieldError {
  field: string
  message: string
}

const SEE_DETAILS = 'The request is not valid. See "details.errors" for what to change.'

export const validationError = namedRefusal(400, 'ValidationError', SEE_DETAILS, {
  errors: [{ field: 'label', message: 'is required' }],
  reasons: { label: { code: 'required' } },
})
export const namedNotFound = namedRefusal(
  404,
  'NotFoundError',
  'There is nothing at this URL. Check the path and the ids in it.',
)

type Reasons = Readonly<Record<string, FieldReason>>
const withReasons = (reasons: Reasons) => (Object.keys(reasons).length > 0 ? { reasons } : {})

export const invalid = (errors: readonly FieldError[], reasons: Reasons = {}) =>
  validationError({ errors, ...withReasons(reasons) })

/** A ValidationError that is always about the same field: for a constraint, or to declare on a route. */
export function invalidField(field: string, message: string): Refusal {
  const details = { errors: [{ field, message }] }
  const made = namedRefusal(400, 'ValidationError', `The request is not valid: ${field} ${message}`, details)
  return Object.assign(() => made(details), { ...made })
}

/** A conflict of the second shape; programs read `details.reason`. */
export function namedConflict(reason: string, words: string): Refusal {
  const made = namedRefusal(409, 'ConflictError', words, { reason })
  return Object.assign(() => made({ reason }), { ...made })
}

const errorsOf = (fields: Record<string, string>): FieldError[] =>
  Object.entries(fields).map(([field, message]) => ({ field, message }))

/**
 * The `errorHandler` of a named route whose rules look at several members of the body: what they find is named together with
 * what the contract forbids. `problemsOf` gets a body whose members may be anything.
 */
export function namingAlso(problemsOf: (body: unknown) => readonly FieldError[]) {
  return (error: FastifyError, { body }: FastifyRequest): never => {
    if (error.validationContext !== 'body' || !error.validation) throw error
    const { fields, reasons } = mistakesOf(error.validation)
    const named = errorsOf(fields)
    const isNamed = (name: string) => named.some(({ field }) => field === name || field.startsWith(`${name}.`))
    throw invalid([...named, ...problemsOf(body).filter(({ field }) => !isNamed(field))], reasons)
  }
}

/** The content of a request does not fit its contract: what to change, by field, for people and for programs. */
export function invalidContent(
  fields: Record<string, string>,
  { envelope, invalid: refuse }: ContentStyle = {},
  reasons: Reasons = {},
) {
  if (envelope === 'named') return invalid(errorsOf(fields), reasons)
  return (refuse ?? validationFailed)({ fields, ...withReasons(reasons) })
}

export const nothingThere = ({ envelope }: ContentStyle = {}) => (envelope === 'named' ? namedNotFound() : notFound())
