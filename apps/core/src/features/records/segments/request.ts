import { contextOf, holds } from '@tendon/access'
import type { SegmentDefinition } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden, invalid } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../../../services.ts'
import { type Nameable, namedIds, type Parsed } from './definition-rules.ts'
import { findNameable } from './facts-queries.ts'

// What the routes of segments share.

/** Segments group patients: an operator needs break-glass even for a list of their names. */
export const SEGMENTS = { envelope: 'named', patientData: true } as const

/** For an evaluation that somebody waits for. */
export const INTERACTIVE_TIMEOUTS = { lockWaitMs: 5_000, timeoutMs: 20_000 } as const

const VIEW_PATIENTS = 'patients.view_org'
export const VIEW_FORMS = 'forms.view_org'

/** Reading about patients, directly or by rules, also requires the permission to view patients. */
export function mustSeePatients({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW_PATIENTS)) throw forbidden({ required: VIEW_PATIENTS })
}

/** A system transaction in the caller's clinic: evaluations see everything, independent of the caller. */
export const evaluating = <Result>(
  { db }: Services,
  { caller }: FastifyRequest,
  work: (tx: TenantTx) => Promise<Result>,
): Promise<Result> => db.tenant({ ...contextOf(caller), permissions: '*', profileIds: [] }, work, { long: true })

/**
 * Returns the parsed body, or refuses it with all its problems (400). Members and counts reveal the data that rules use, so
 * authors of rules must be allowed to see that data, although the evaluation sees everything.
 */
export async function readBody<Value extends SegmentDefinition>(
  tx: TenantTx,
  { body, caller }: FastifyRequest,
  parse: (body: unknown, nameable: Nameable) => Parsed<Value>,
): Promise<Value> {
  const { fieldIds, templateIds } = namedIds(body)
  const parsed = parse(body, await findNameable(tx, fieldIds, templateIds))
  if ('mistakes' in parsed) throw invalid(parsed.mistakes)
  const asksForms = parsed.value.rules.some(({ source }) => source === 'form')
  if (asksForms && !holds(caller, VIEW_FORMS)) throw forbidden({ required: VIEW_FORMS })
  return parsed.value
}
