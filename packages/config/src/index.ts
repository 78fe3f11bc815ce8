import { join } from 'node:path'
import { type Setting, type SettingName, settings } from './settings.ts'

export { type Setting, type SettingName, settings } from './settings.ts'

export type Config = Readonly<{ [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> }> & {
  readonly issuer: string
  readonly jwksUrl: string
  readonly publicUrl: string
  readonly telemetryUrl: string
  /** Origins of the web apps. */
  readonly webOrigins: readonly string[]
  readonly composerUrl: string
  readonly composerCacheDir: string
}

type Derived = 'issuer' | 'jwksUrl' | 'publicUrl' | 'webOrigins' | 'telemetryUrl' | 'composerUrl' | 'composerCacheDir'

/** Reports every problem at once. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

export function readConfig(env: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  const production = env.NODE_ENV === 'production'
  const open = !LOOPBACK.has(env.HOST ?? settings.HOST.default)
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting][]) {
    const given = env[name]
    if ((production || open) && (given === undefined || given === setting.default)) {
      const when = production ? 'NODE_ENV=production' : 'HOST is reachable from other machines'
      if (setting.secret) problems.push(`${name} must be set to a secret of your own when ${when}`)
      else if (production && setting.production) problems.push(`${name} must be set when NODE_ENV=production`)
    }
    try {
      values[name] = setting.parse(given ?? setting.default)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (values.OBJECT_STORE === 's3') {
    for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
      if (!values[name]) problems.push(`${name} must be set with OBJECT_STORE=s3`)
    }
  }
  if (production && values.OUTBOUND_ALLOW_PRIVATE === 'true') {
    problems.push('OUTBOUND_ALLOW_PRIVATE must be false when NODE_ENV=production')
  }
  if (values.VIDEO_HOST === 'bunny') {
    for (const name of ['BUNNY_LIBRARY_ID', 'BUNNY_API_KEY', 'BUNNY_CDN_URL']) {
      if (!values[name]) problems.push(`${name} must be set with VIDEO_HOST=bunny`)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)

  const config = values as Omit<Config, Derived>
  const issuer = config.AUTH_ISSUER ?? `http://${config.HOST}:${config.IDENTITY_PORT}`
  const publicUrl = config.PUBLIC_URL ?? `http://${config.HOST}:${config.CORE_PORT}`
  const hosts = Object.values(config.WEB_HOSTS)
  return Object.freeze({
    ...config,
    issuer,
    jwksUrl: config.AUTH_JWKS_URL ?? `${issuer}/jwks`,
    publicUrl,
    webOrigins:
      config.WEB_ORIGINS.length > 0 ? config.WEB_ORIGINS : [publicUrl, ...hosts.map((host) => `https://${host}`)],
    telemetryUrl: config.TELEMETRY_URL ?? `http://${config.HOST}:${config.TELEMETRY_PORT}`,
    composerUrl: config.COMPOSER_URL ?? `http://${config.HOST}:${config.COMPOSER_PORT}`,
    composerCacheDir: config.COMPOSER_CACHE_DIR ?? join(config.DATA_DIR, 'composer'),
  })
}
