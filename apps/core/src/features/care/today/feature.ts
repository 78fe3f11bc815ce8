import { feature } from '../../../feature.ts'
import { todayRoutes } from './routes.ts'

export const today = feature({ routes: [todayRoutes] })
