import { type Static, Type } from 'typebox'
import { Product } from './products.ts'
import { Currency, PriceCents } from './services.ts'
import { Body, Enum, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

const PlanName = Name(200, 'Ten sessions')
const Description = Text(4000, 'One assessment and nine sessions within three months.')
const Quantity = Type.Integer({ minimum: 1, maximum: 1000, examples: [9] })
const Items = Type.Array(Body({ service_id: Id, quantity: Quantity }), { maxItems: 50 })
const ValidDays = Type.Integer({ minimum: 1, maximum: 3650, examples: [90] })
const Billing = Enum(['one_time', 'monthly'] as const)
const Status = Enum(['draft', 'active', 'archived'] as const)

export const ServicePlanProduct = Type.Object({ product_id: Id, quantity: Quantity })
export type ServicePlanProduct = Static<typeof ServicePlanProduct>

/** A row of the list. The details are those of the product today; null when it is deleted. */
export const ServicePlanProductDetails = Type.Object({
  ...ServicePlanProduct.properties,
  sku: Nullable(Product.properties.sku),
  name: Nullable(Product.properties.name),
  price_cents: Nullable(PriceCents),
  currency: Nullable(Currency),
  status: Nullable(Product.properties.status),
  created_at: Timestamp,
})
export type ServicePlanProductDetails = Static<typeof ServicePlanProductDetails>

export const ServicePlan = Type.Object({
  id: Id,
  organization_id: Id,
  name: PlanName,
  description: Nullable(Description),
  items: Items,
  products: Type.Array(ServicePlanProduct),
  valid_days: Nullable(ValidDays),
  billing: Billing,
  price_cents: PriceCents,
  currency: Currency,
  status: Status,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
  deleted_at: Nullable(Timestamp),
})
export type ServicePlan = Static<typeof ServicePlan>

const settings = {
  description: Type.Optional(Nullable(Description)),
  items: Type.Optional(Items),
  valid_days: Type.Optional(Nullable(ValidDays)),
  billing: Type.Optional(Billing),
  currency: Type.Optional(Currency),
  status: Type.Optional(Status),
}

export const NewServicePlan = Body({ name: PlanName, price_cents: PriceCents, ...settings })
export type NewServicePlan = Static<typeof NewServicePlan>

export const ServicePlanChanges = Type.Object(
  {
    name: Type.Optional(PlanName),
    price_cents: Type.Optional(PriceCents),
    ...settings,
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ServicePlanChanges = Static<typeof ServicePlanChanges>

export const NewServicePlanProduct = Body({ product_id: Id, quantity: Type.Optional(Quantity) })
export const ServicePlanProductParams = Type.Object({ id: Id, productId: Id })

export const servicePlanProductList = {
  sort: ['name', 'sku', 'price_cents', 'quantity', 'created_at'],
  ranges: ['created_at'],
  q: true,
} as const

export const servicePlanList = {
  sort: ['name', 'price_cents', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { deleted: 'boolean', status: ['draft', 'active', 'archived'] },
  q: true,
} as const
