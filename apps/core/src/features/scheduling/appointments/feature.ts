import { feature } from '../../../feature.ts'
import { appointmentDataClasses } from './data-classes.ts'
import { appointmentConstraints } from './errors.ts'
import { myAppointmentRoutes } from './my-routes.ts'
import { appointmentRoutes } from './routes.ts'

export const appointments = feature({
  routes: [appointmentRoutes, myAppointmentRoutes],
  constraints: appointmentConstraints,
  dataClasses: appointmentDataClasses,
})
