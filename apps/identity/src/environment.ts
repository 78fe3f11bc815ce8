import { readConfig } from '@tendon/config'
import { productionRefused } from './refusals.ts'

export interface Environment {
  host: string
  port: number
  issuer: string
  audience: string
  dataDir: string
  webOrigins: readonly string[]
  /** Where the core API hears that somebody signed out here. */
  logoutUrl: string
}

export function readEnvironment(variables: Record<string, string | undefined>): Environment {
  if (variables.NODE_ENV === 'production') throw productionRefused()
  const config = readConfig(variables)
  return {
    host: config.HOST,
    port: config.IDENTITY_PORT,
    issuer: config.issuer,
    audience: config.AUTH_AUDIENCE,
    dataDir: config.DATA_DIR,
    webOrigins: config.webOrigins,
    logoutUrl: `http://${config.HOST}:${config.CORE_PORT}/auth/backchannel-logout`,
  }
}
