import { type Config, readConfig } from '@tendon/config'
import { TELEMETRY_FLAGS } from '../service-flags.ts'
import { anotherPort, PortTaken, portsInUse, takenOf } from './ports.ts'
import { Processes, ProcessFailed, type Service } from './processes.ts'

type Variables = Record<string, string | undefined>

/** The settings of the ports that `npm start` listens on, except that of the database. */
export const PORTS = [
  'CORE_PORT',
  'CORE_METRICS_PORT',
  'WORKER_METRICS_PORT',
  'TELEMETRY_PORT',
  'TELEMETRY_METRICS_PORT',
  'COMPOSER_PORT',
  'COMPOSER_METRICS_PORT',
  'COMPOSER_WORKER_METRICS_PORT',
] as const
export const LOCAL_PORTS = ['IDENTITY_PORT', 'MAIL_RECEIVER_PORT', 'WEBHOOK_RECEIVER_PORT'] as const
type PortSetting = (typeof PORTS)[number] | (typeof LOCAL_PORTS)[number]

/** A port that such a URL names cannot be exchanged: something outside leads there. */
const NAMED_BY: Partial<Record<PortSetting, string>> = {
  CORE_PORT: 'PUBLIC_URL',
  TELEMETRY_PORT: 'TELEMETRY_URL',
  COMPOSER_PORT: 'COMPOSER_URL',
}
const MAX_ATTEMPTS = 5

export const portsOf = (config: Config): [PortSetting, number][] =>
  [...PORTS, ...(config.AUTH_ISSUER === undefined ? LOCAL_PORTS : [])].map((setting) => [setting, config[setting]])

export interface StartOptions {
  /** As given by the user. */
  variables: Variables
  /** Used where the user gave nothing. */
  defaults?: Variables
  databaseUrl: string
  logDir: string
  watch?: boolean
  /** Listens in this process; stopped when the ports change. */
  receivers: (config: Config) => Promise<() => Promise<void>>
  onProgress: (line: string) => void
}

export interface Started {
  /** With the ports that are in use now. */
  config: Config
  processes: Processes
  stop: () => Promise<void>
}

/**
 * Starts everything that has a port. A port that was taken since it was checked is replaced by a free one, for all: every
 * service knows the others' ports, so all of them start again.
 */
export async function startServices(options: StartOptions): Promise<Started> {
  const { defaults, onProgress } = options
  let variables = await withRealPorts({ ...defaults, ...options.variables })
  for (let attempt = 1; ; attempt += 1) {
    const config = readConfig(variables)
    try {
      return await startOnce(config, { ...options, variables })
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error
      if (attempt === MAX_ATTEMPTS)
        throw new ProcessFailed(
          `Ports were taken ${MAX_ATTEMPTS} times while the services started, that of ${error.setting} last. Stop what takes them, or choose other ports, then run the same command again.`,
        )
    }
    const moved = await otherPorts(config, options.variables)
    for (const [setting, port] of Object.entries(moved))
      onProgress(
        `port ${variables[setting] ?? config[setting as PortSetting]} was taken meanwhile: ${setting} is ${port}`,
      )
    variables = { ...variables, ...moved }
  }
}

/** For every port that is taken now. */
async function otherPorts(config: Config, given: Variables): Promise<Record<string, string>> {
  const taken = await takenOf(config.HOST, portsOf(config))
  const fixed = taken.filter(([setting]) => given[NAMED_BY[setting] ?? ''])
  if (fixed.length > 0) throw new ProcessFailed(portsInUse(fixed))
  const used = portsOf(config).map(([, port]) => port)
  const moved: Record<string, string> = {}
  for (const [setting] of taken) {
    const port = await anotherPort(config.HOST, used)
    used.push(port)
    moved[setting] = String(port)
  }
  return moved
}

/** 0 means any free port: chosen here, because the services must know each other's. */
async function withRealPorts(variables: Variables): Promise<Variables> {
  const config = readConfig(variables)
  const used: number[] = []
  const chosen: Variables = {}
  for (const [setting] of portsOf(config).filter(([, port]) => port === 0)) {
    const port = await anotherPort(config.HOST, used)
    used.push(port)
    chosen[setting] = String(port)
  }
  return { ...variables, ...chosen }
}

async function startOnce(config: Config, options: StartOptions): Promise<Started> {
  const { variables, databaseUrl, logDir, watch = false, receivers, onProgress } = options
  const local = config.AUTH_ISSUER === undefined
  const env = { ...variables, DATABASE_URL: databaseUrl, PUBLIC_URL: config.publicUrl }
  const processes = new Processes(logDir, env, { watch })
  const stopping = [() => processes.stop()]
  const stop = async () => {
    for (const one of stopping.toReversed()) await one()
  }
  try {
    if (local) {
      onProgress('identity provider, mail server, webhook receiver')
      stopping.push(await receivers(config))
      await processes.start(identityOf(config))
    }
    onProgress('core API, worker, telemetry and composer')
    await Promise.all(servicesOf(config).map((service) => processes.start(service)))
    return { config, processes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const identityOf = ({ issuer }: Config): Service => ({
  name: 'identity',
  entry: 'apps/identity/src/server.ts',
  port: 'IDENTITY_PORT',
  readyUrl: `${issuer}/.well-known/openid-configuration`,
})

function servicesOf(config: Config): Service[] {
  const service = (name: string, entry: string, port: PortSetting, path: string): Service => ({
    name,
    entry,
    port,
    readyUrl: `http://${config.HOST}:${config[port]}${path}`,
  })
  return [
    service('core', 'apps/core/src/server.ts', 'CORE_PORT', '/health/ready'),
    service('worker', 'apps/core/src/worker.ts', 'WORKER_METRICS_PORT', '/metrics'),
    { ...service('telemetry', 'apps/telemetry/src/server.ts', 'TELEMETRY_PORT', '/v1/readyz'), flags: TELEMETRY_FLAGS },
    service('composer', 'apps/composer/src/server.ts', 'COMPOSER_PORT', '/health/ready'),
    service('composer-worker', 'apps/composer/src/worker.ts', 'COMPOSER_WORKER_METRICS_PORT', '/metrics'),
  ]
}
