import { feature } from '../../../feature.ts'
import { appointmentDataClasses } from './data-classes.ts'
import { dayOffRoutes } from './day-off-routes.ts'
import { appointmentConstraints } from './errors.ts'
import { appointmentFileDataClasses } from './files/data-classes.ts'
import { appointmentFileRoutes } from './files/routes.ts'
import { appointmentJobs } from './jobs.ts'
import { linkRoutes } from './link-routes.ts'
import { telemedicineWithdrawn } from './mails.ts'
import { myAppointmentRoutes } from './my-routes.ts'
import { appointmentRoutes } from './routes.ts'
import { seriesRoutes } from './series-routes.ts'
import { appointmentSubscribers } from './subscribers.ts'

export const appointments = feature({
  routes: [appointmentRoutes, linkRoutes, dayOffRoutes, myAppointmentRoutes, seriesRoutes, appointmentFileRoutes],
  constraints: appointmentConstraints,
  dataClasses: [...appointmentDataClasses, ...appointmentFileDataClasses],
  jobs: appointmentJobs,
  subscribers: appointmentSubscribers,
  mails: [telemedicineWithdrawn],
})
