import { contextOf, holds } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { forbidden, invalid } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Services } from '../../../services.ts'
import { definitionIn } from './definition.ts'
import { namedIds, namesForms } from './definition-rules.ts'
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
 * Returns the body, or refuses it with all its problems (400). Members and counts reveal the data that rules use, so authors
 * of rules must be allowed to see that data, although the evaluation sees everything.
 */
export async function readBody<Contract extends TSchema>(
  tx: TenantTx,
  { body, caller }: FastifyRequest,
  contract: Contract,
): Promise<Static<Contract>> {
  const { fieldIds, templateIds } = namedIds(body)
  const read = definitionIn(contract, body, await findNameable(tx, fieldIds, templateIds))
  if ('mistakes' in read) throw invalid(read.mistakes, read.reasons)
  if (namesForms(body) && !holds(caller, VIEW_FORMS)) throw forbidden({ required: VIEW_FORMS })
  return read.value
}
