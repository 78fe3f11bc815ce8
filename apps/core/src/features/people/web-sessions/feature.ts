import { feature } from '../../../feature.ts'
import { mySessionRoutes } from './my-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { signOutRoutes } from './sign-out-routes.ts'

export const webSessions = feature({
  routes: [signInRoutes, signOutRoutes, mySessionRoutes],
})
