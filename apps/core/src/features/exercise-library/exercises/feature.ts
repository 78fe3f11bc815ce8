import { feature } from '../../../feature.ts'
import { exerciseConstraints } from './errors.ts'
import { lifecycleRoutes } from './lifecycle-routes.ts'
import { exerciseRoutes } from './routes.ts'

export const exercises = feature({
  routes: [exerciseRoutes, lifecycleRoutes],
  constraints: exerciseConstraints,
})
