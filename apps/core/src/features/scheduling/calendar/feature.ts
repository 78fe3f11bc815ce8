import { feature } from '../../../feature.ts'
import { calendarRoutes } from './routes.ts'

export const calendar = feature({ routes: [calendarRoutes] })
