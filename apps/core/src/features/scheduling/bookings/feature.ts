import { feature } from '../../../feature.ts'
import { bookingUpdated } from './mails.ts'
import { bookingRoutes } from './routes.ts'

export const bookings = feature({ routes: [bookingRoutes], mails: [bookingUpdated] })
