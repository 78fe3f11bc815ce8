import { feature } from '../../../feature.ts'
import { formDataClasses } from './data-classes.ts'
import { formConstraints } from './errors.ts'
import { formFileDataClasses } from './files/data-classes.ts'
import { formFileRoutes } from './files/routes.ts'
import { formRoutes } from './routes.ts'
import { signingRoutes } from './signing-routes.ts'

export const forms = feature({
  routes: [formRoutes, signingRoutes, formFileRoutes],
  constraints: formConstraints,
  dataClasses: [...formDataClasses, ...formFileDataClasses],
})
