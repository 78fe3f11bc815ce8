import { feature } from '../../../feature.ts'
import { memberConstraints } from './errors.ts'
import { memberInvited } from './mails.ts'
import { memberRoutes } from './routes.ts'

export const members = feature({
  routes: [memberRoutes],
  constraints: memberConstraints,
  mails: [memberInvited],
})
