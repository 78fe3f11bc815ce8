import { feature } from '../../../feature.ts'
import { bookingUpdated, seriesBooked } from './mails.ts'
import { bookingRoutes } from './routes.ts'
import { bookingSubscribers } from './subscribers.ts'

export const bookings = feature({
  routes: [bookingRoutes],
  mails: [bookingUpdated, seriesBooked],
  subscribers: bookingSubscribers,
})
