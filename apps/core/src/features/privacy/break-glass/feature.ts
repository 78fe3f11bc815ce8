import { feature } from '../../../feature.ts'
import { breakGlassDataClasses } from './data-classes.ts'
import { breakGlassConstraints } from './errors.ts'
import { breakGlassOpened } from './mails.ts'
import { breakGlassRoutes } from './routes.ts'

export const breakGlass = feature({
  routes: [breakGlassRoutes],
  constraints: breakGlassConstraints,
  dataClasses: breakGlassDataClasses,
  mails: [breakGlassOpened],
})
