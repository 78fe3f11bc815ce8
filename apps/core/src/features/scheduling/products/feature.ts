import { feature } from '../../../feature.ts'
import { productConstraints } from './errors.ts'
import { productRoutes } from './routes.ts'

export const products = feature({
  routes: [productRoutes],
  constraints: productConstraints,
})
