import { resolve } from 'node:path'
import { badSetting, productionRefused } from './refusals.ts'

type Variables = Record<string, string | undefined>

export interface Environment {
  host: string
  port: number
  issuer: string
  audience: string
  dataDir: string
  webOrigins: string[]
}

export function readEnvironment(variables: Variables): Environment {
  if (variables.NODE_ENV === 'production') throw productionRefused()

  const host = variables.IDENTITY_HOST || '127.0.0.1'
  const port = readPort(variables.IDENTITY_PORT || '3001')
  return {
    host,
    port,
    issuer: readOrigin('AUTH_ISSUER', variables.AUTH_ISSUER || `http://127.0.0.1:${port}`),
    audience: variables.AUTH_AUDIENCE || 'tendon-api',
    dataDir: resolve(variables.DATA_DIR || '.data'),
    webOrigins: (variables.WEB_ORIGINS || 'http://127.0.0.1:5173,http://localhost:5173')
      .split(',')
      .map((origin) => readOrigin('WEB_ORIGINS', origin.trim())),
  }
}

function readPort(value: string): number {
  const port = Number(value)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw badSetting('IDENTITY_PORT', value, 'a port number from 1 to 65535')
}

function readOrigin(name: string, value: string): string {
  const url = URL.parse(value)
  if (url?.origin === value && url.protocol.startsWith('http')) return value
  throw badSetting(name, value, 'an origin without a path, such as http://127.0.0.1:3001')
}
