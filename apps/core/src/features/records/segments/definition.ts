import { type FieldReason, shapeOf } from '@tendon/http'
import type { Static, TSchema } from 'typebox'
import { type Mistake, mistakesOfRules, type Nameable, normalized } from './definition-rules.ts'

/** More than anybody reads. */
const MAX_REPORTED_PROBLEMS = 100

export type Read<Value> = { value: Value } | { mistakes: Mistake[]; reasons: Record<string, FieldReason> }

/** The definition in a body, or all problems of its shape and of what its rules name. The latter are more precise. */
export function definitionIn<Contract extends TSchema>(
  contract: Contract,
  body: unknown,
  nameable: Nameable,
): Read<Static<Contract>> {
  const given = normalized(body)
  const named = mistakesOfRules(given, nameable)
  const shape = shapeOf(contract, given)
  if ('value' in shape) return named.length === 0 ? shape : { mistakes: named, reasons: {} }
  const isOther = ([field]: readonly [string, unknown]) => !named.some((one) => one.field === field)
  const { fields, reasons } = shape.mistakes
  const mistakes = Object.entries(fields)
    .filter(isOther)
    .map(([field, message]) => ({ field, message }))
  return {
    mistakes: [...mistakes, ...named].slice(0, MAX_REPORTED_PROBLEMS),
    reasons: Object.fromEntries(Object.entries(reasons).filter(isOther)),
  }
}
