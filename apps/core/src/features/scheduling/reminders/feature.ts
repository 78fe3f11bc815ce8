import { feature } from '../../../feature.ts'
import { reminderDataClasses } from './data-classes.ts'
import { reminderJobs } from './jobs.ts'
import { appointmentReminder } from './mails.ts'
import { reminderRoutes } from './routes.ts'
import { reminderSubscribers } from './subscribers.ts'

export const reminders = feature({
  routes: [reminderRoutes],
  jobs: reminderJobs,
  subscribers: reminderSubscribers,
  dataClasses: reminderDataClasses,
  mails: [appointmentReminder],
})
