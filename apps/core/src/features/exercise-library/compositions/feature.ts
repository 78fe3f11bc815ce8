import { feature } from '../../../feature.ts'
import { forwardingRoutes } from './routes.ts'

export const compositions = feature({ routes: [forwardingRoutes] })
