import { feature } from '../../../feature.ts'
import { savedViewConstraints } from './errors.ts'
import { savedViewRoutes } from './routes.ts'

export const savedViews = feature({ routes: [savedViewRoutes], constraints: savedViewConstraints })
