import { publish } from '@tendon/access'
import { ById, One, OrganizationPlan, PlanChange } from '@tendon/contracts'
import { membership, organizationNotFound, superadmin } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { findPlan, findPlanCodeForUpdate, updatePlan } from './queries.ts'

export const planRoutes: Routes = (app) => {
  app.get(
    '/v1/organizations/:id/plan',
    {
      config: {
        access: membership(),
        summary: 'Get the plan of an organization',
        description: 'Includes the limits of the plan and the current usage.',
      },
      schema: { params: ById, response: { 200: One(OrganizationPlan) } },
    },
    async (request) => {
      const plan = await request.find((tx) => findPlan(tx, request.params.id))
      if (!plan) throw organizationNotFound()
      return { data: plan }
    },
  )

  app.put(
    '/v1/organizations/:id/plan',
    {
      config: {
        access: superadmin(),
        summary: 'Change the plan of an organization',
        description: 'When usage exceeds the limits of the new plan, existing records stay and new ones are refused.',
      },
      schema: { params: ById, body: PlanChange, response: { 200: One(OrganizationPlan) } },
    },
    (request) =>
      request.platform(async (tx) => {
        const id = request.params.id.toLowerCase()
        const { plan } = request.body
        const before = await findPlanCodeForUpdate(tx, id)
        if (before === undefined) throw organizationNotFound()
        if (plan !== before) {
          await updatePlan(tx, id, plan)
          const target = { type: 'organization', id }
          const changes = [{ field: 'plan', before, after: plan }]
          await request.audit(tx, { action: 'organizations.change_plan', crud: 'U', target, changes })
          await publish(tx, 'organization.plan_changed', { organization_id: id, plan, previous_plan: before }, id)
        }
        const after = await findPlan(tx, id)
        if (!after) throw organizationNotFound()
        return { data: after }
      }),
  )
}
