import { feature } from '../../../feature.ts'
import { calendarFeedDataClasses } from './data-classes.ts'
import { calendarFeedRoutes } from './routes.ts'

export const calendarFeeds = feature({ routes: [calendarFeedRoutes], dataClasses: calendarFeedDataClasses })
