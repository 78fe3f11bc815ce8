import { type Constraints, refusal } from '@tendon/http'

export const productNotFound = refusal(
  404,
  'product_not_found',
  'Your organization has no product with this id. List its products to see those it has.',
)
export const skuExists = refusal(
  409,
  'sku_exists',
  'Another product of your organization has this SKU. Choose another SKU.',
)

export const productConstraints: Constraints = {
  products_sku_key: skuExists,
}
