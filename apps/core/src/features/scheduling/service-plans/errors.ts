import { type Constraints, fieldRefusal, refusal } from '@tendon/http'

export const servicePlanNotFound = refusal(
  404,
  'service_plan_not_found',
  'Your organization has no service plan with this id. List its plans to see those it has.',
)
export const planProductNotFound = refusal(404, 'product_not_found', 'The plan does not contain this product.')
export const planProductExists = refusal(
  409,
  'product_in_plan',
  'The plan already contains this product. Remove it first to change the quantity.',
)

export const servicePlanConstraints: Constraints = {
  service_plan_items_pkey: fieldRefusal('items', 'must name each service once'),
  service_plan_items_service_fkey: fieldRefusal('items', 'must name services of your organization'),
  service_plan_products_pkey: planProductExists,
  service_plan_products_product_fkey: fieldRefusal('product_id', 'must name a product of your organization'),
}
