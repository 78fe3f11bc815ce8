import { systemContext } from '@tendon/access'
import { OutboundError } from '@tendon/outbound'
import { failureName } from '../../../platform/failure-name.ts'
import type { Job, JobTools } from '../../../platform/jobs.ts'
import { readBusyTimes, recordUse } from '../../connections/integrations/index.ts'
import { replaceBusyTimes } from './busy.ts'
import { type ConnectedCalendar, listConnectedCalendars } from './busy-queries.ts'

const AHEAD_MS = 60 * 86_400_000
const CALENDARS_PER_PAGE = 100
const MAX_PARALLEL_READS = 8

/**
 * Busy times of connected calendars hide free times; they do not refuse bookings. While a calendar cannot be read, the busy
 * times of the last successful read are kept, to avoid double bookings. The integration shows the failure.
 */
export const availabilityJobs: readonly Job[] = [
  {
    name: 'availability.read_busy_times',
    cron: '*/5 * * * *',
    async run(_payload, tools) {
      let last: string | null = null
      do {
        const after: string | null = last
        const page: ConnectedCalendar[] = await tools.tenant((tx) =>
          listConnectedCalendars(tx, CALENDARS_PER_PAGE, after),
        )
        last = page.length === CALENDARS_PER_PAGE ? (page.at(-1)?.id ?? null) : null
        await readCalendars(page, tools)
      } while (last !== null && !tools.signal.aborted)
    },
  },
]

async function readCalendars(waiting: ConnectedCalendar[], tools: JobTools): Promise<void> {
  const readNext = async () => {
    for (let next = waiting.pop(); next && !tools.signal.aborted; next = waiting.pop()) await readCalendar(next, tools)
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_READS }, readNext))
}

async function readCalendar(calendar: ConnectedCalendar, { services, log }: JobTools): Promise<void> {
  const from = services.now()
  try {
    const times = await readBusyTimes(services, calendar, from, new Date(from.getTime() + AHEAD_MS))
    await services.db.tenant(systemContext(calendar.organization_id), (tx) => replaceBusyTimes(tx, calendar, times))
  } catch (error) {
    if (error instanceof OutboundError) await recordUse(services, calendar, error.failure)
    log.warn({ integration: calendar.id, error: failureName(error) }, 'busy times were not read')
  }
}
