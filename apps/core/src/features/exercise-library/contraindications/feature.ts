import { feature } from '../../../feature.ts'
import { contraindicationConstraints } from './errors.ts'
import { contraindicationRoutes } from './routes.ts'

export const contraindications = feature({
  routes: [contraindicationRoutes],
  constraints: contraindicationConstraints,
})
