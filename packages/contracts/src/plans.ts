import { type Static, Type } from 'typebox'
import { PLANS } from './organizations.ts'
import { Body, Enum, Nullable } from './shapes.ts'

export const LIMITS = ['max_specialists', 'max_unfinished_upload_mb'] as const

export const OrganizationPlan = Type.Object({
  plan: Enum(PLANS),
  name: Type.String({ examples: ['Free'] }),
  limits: Type.Array(
    Type.Object({
      name: Enum(LIMITS),
      max: Nullable(Type.Integer({ description: 'null: unlimited', examples: [2] })),
      current: Type.Integer({ examples: [1] }),
    }),
  ),
})
export type OrganizationPlan = Static<typeof OrganizationPlan>

export const PlanChange = Body({ plan: Enum(PLANS, 'pro') })
