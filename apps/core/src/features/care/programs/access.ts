import { holds } from '@tendon/access'
import { forbidden } from '@tendon/http'
import type { FastifyRequest } from 'fastify'

const VIEW = 'treatment_plans.view_org'

/** Whoever changes programs and plans sees them: the route names the right to change, this the right to see. */
export function mustSeePlans({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW)) throw forbidden({ required: VIEW })
}
