import { feature } from '../../../feature.ts'
import { consentPurposeConstraints } from './errors.ts'
import { consentPurposeRoutes } from './routes.ts'

export const consentPurposes = feature({
  routes: [consentPurposeRoutes],
  constraints: consentPurposeConstraints,
})
