import { feature } from '../../../feature.ts'
import { patientConditionDataClasses } from './data-classes.ts'
import { patientConditionConstraints } from './errors.ts'
import { patientConditionRoutes } from './routes.ts'

export const patientConditions = feature({
  routes: [patientConditionRoutes],
  constraints: patientConditionConstraints,
  dataClasses: patientConditionDataClasses,
})
