import { isObject } from '@tendon/contracts'
import { OutboundError } from '@tendon/outbound'
import type { Services } from '../../../../services.ts'
import { oauthClientOf } from '../oauth-client.ts'
import type { Connection, Connector } from './connector.ts'

export interface BusyTime {
  start: string
  end: string
}

/** The provider did not answer as it should. Its name is an error code, such as `authentication`. */
export class ConnectorFailure extends Error {
  readonly failure: string
  constructor(failure: string) {
    super(failure)
    this.name = 'ConnectorFailure'
    this.failure = failure
  }
}

const API_URL = 'https://www.googleapis.com/calendar/v3'
const MAX_ANSWER_BYTES = 500_000
const MAX_BUSY_TIMES = 5_000

/** When a calendar is busy between two moments. Titles are not read: the scope does not allow it. */
export async function freeBusy(
  services: Services,
  { config, credentials }: Connection,
  from: Date,
  to: Date,
): Promise<BusyTime[]> {
  const provider = await services.platformProviders.of('oauth_client_google')
  const api = typeof provider?.config.api_url === 'string' ? provider.config.api_url : API_URL
  const calendar = typeof config.calendar_id === 'string' ? config.calendar_id : 'primary'
  const answer = await services.outbound.postJson(
    `${api}/freeBusy`,
    { timeMin: from.toISOString(), timeMax: to.toISOString(), items: [{ id: calendar }] },
    { headers: { authorization: `Bearer ${String(credentials.access_token)}` }, maxBytes: MAX_ANSWER_BYTES },
  )
  if (answer.status === 401 || answer.status === 403) throw new ConnectorFailure('authentication')
  if (answer.status !== 200 || answer.truncated) throw new ConnectorFailure('unavailable')
  const found = memberOf(memberOf(read(answer.body), 'calendars'), calendar)
  if (!isObject(found) || found.errors) throw new ConnectorFailure('calendar_not_found')
  return (Array.isArray(found.busy) ? found.busy : []).slice(0, MAX_BUSY_TIMES).flatMap((busy: unknown) => {
    const [start, end] = [memberOf(busy, 'start'), memberOf(busy, 'end')]
    const isTime = typeof start === 'string' && typeof end === 'string' && Date.parse(start) < Date.parse(end)
    return isTime ? [{ start, end }] : []
  })
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

function read(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

async function ask(services: Services, connection: Connection): Promise<string | undefined> {
  if (!connection.credentials.access_token) return 'not_configured'
  try {
    const now = services.now()
    await freeBusy(services, connection, now, new Date(now.getTime() + 60_000))
    return undefined
  } catch (error) {
    if (error instanceof ConnectorFailure || error instanceof OutboundError) return error.failure
    return 'unavailable'
  }
}

export const googleCalendar: Connector = {
  slug: 'google_calendar',
  destination: [],
  async validateConfig({ specialist_id }, { hasSpecialist }) {
    if (await hasSpecialist(String(specialist_id))) return undefined
    return 'Your organization has no specialist with this id. List its specialists to see them.'
  },
  validateCredentials: (connection, services) => ask(services, connection),
  healthcheck: (connection, services) => ask(services, connection),
  async refreshToken({ credentials }, services) {
    const client = await oauthClientOf(services, 'google')
    return client.refresh(String(credentials.refresh_token))
  },
}
