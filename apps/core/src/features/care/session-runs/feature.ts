import { feature } from '../../../feature.ts'
import { clinicRunRoutes } from './clinic-routes.ts'
import { sessionRunDataClasses } from './data-classes.ts'
import { sessionRunConstraints } from './errors.ts'
import { sessionRunJobs } from './jobs.ts'
import { readingRoutes } from './reading-routes.ts'
import { recordingRoutes } from './recording-routes.ts'
import { sessionRunRoutes } from './routes.ts'
import { sessionRunSubscribers } from './subscribers.ts'
import { telemetryDataClasses } from './telemetry-data-classes.ts'
import { timelineRoutes } from './timeline-routes.ts'

export const sessionRuns = feature({
  routes: [sessionRunRoutes, recordingRoutes, readingRoutes, clinicRunRoutes, timelineRoutes],
  constraints: sessionRunConstraints,
  dataClasses: [...sessionRunDataClasses, ...telemetryDataClasses],
  jobs: sessionRunJobs,
  subscribers: sessionRunSubscribers,
})
