import { Type } from 'typebox'
import { Timestamp } from './shapes.ts'

export const CalendarFeed = Type.Object({
  url: Type.String({
    description: 'Opens the feed without signing in. Shown once.',
    examples: ['https://tendon.example/v1/public/calendar-feeds/pUb1icT0ken.ics'],
  }),
  created_at: Timestamp,
})

export const CalendarFeedFile = Type.Object({
  file: Type.String({ minLength: 10, maxLength: 100, examples: ['pUb1icT0ken.ics'] }),
})
