import { holds } from '@tendon/access'
import { forbidden } from '@tendon/http'
import type { FastifyRequest } from 'fastify'

const VIEW = 'treatment_plans.view_org'

/** Changing programs and plans also requires the permission to view them, which is checked here. */
export function mustSeePlans({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW)) throw forbidden({ required: VIEW })
}
