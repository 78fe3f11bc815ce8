import { feature } from '../../../feature.ts'
import { bookingDataClasses } from './data-classes.ts'
import { bookingJobs } from './jobs.ts'
import { bookingUpdated, seriesBooked } from './mails.ts'
import { myBookingRoutes } from './my-routes.ts'
import { bookingRoutes } from './routes.ts'
import { bookingSubscribers } from './subscribers.ts'

export const bookings = feature({
  routes: [bookingRoutes, myBookingRoutes],
  jobs: bookingJobs,
  dataClasses: bookingDataClasses,
  mails: [bookingUpdated, seriesBooked],
  subscribers: bookingSubscribers,
})
