import { feature } from '../../../feature.ts'
import { specialtyConstraints } from './errors.ts'
import { specialtyRoutes } from './routes.ts'

export const specialties = feature({
  routes: [specialtyRoutes],
  constraints: specialtyConstraints,
})
