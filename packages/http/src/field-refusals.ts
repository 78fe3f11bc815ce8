import { isObject } from '@tendon/contracts'
import type { FastifyError, FastifyRequest } from 'fastify'
import type { Refusal } from './errors.ts'
import { fieldsOf } from './validation.ts'

/** A field's own refusals: when it is left out or blank, and when it is there and wrong. */
interface FieldRefusals {
  missing?: Refusal
  invalid?: Refusal
}

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/**
 * The `errorHandler` of a route whose fields have refusals of their own: the first in the table wins. `name.*` stands for
 * the entries of a list. Whatever else is wrong with the body stays validation_failed.
 */
export function refuseFields(table: Readonly<Record<string, FieldRefusals>>) {
  return (error: FastifyError, request: FastifyRequest): never => {
    const ofBody = error.validationContext === 'body' ? (error.validation ?? []) : []
    const bad = Object.keys(fieldsOf(ofBody)).map((path) => path.replace(/\.\d+$/, '.*'))
    for (const [field, { missing, invalid }] of Object.entries(table)) {
      if (!bad.includes(field)) continue
      const blank = isBlank(isObject(request.body) ? request.body[field] : undefined)
      const refused = blank && missing ? missing : invalid
      if (refused) throw refused()
    }
    throw error
  }
}
