import { feature } from '../../../feature.ts'
import { timelineRoutes } from './routes.ts'

export const patientTimelines = feature({ routes: [timelineRoutes] })
