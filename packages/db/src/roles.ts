import { createHmac } from 'node:crypto'

/** The database logins of the platform (database/roles.sql). */
export const LOGINS = ['tendon_app', 'tendon_platform', 'tendon_worker', 'tendon_telemetry'] as const
export type Login = (typeof LOGINS)[number]

export function passwordOf(login: Login, roleSecret: string): string {
  return createHmac('sha256', roleSecret).update(login).digest('base64url')
}

/** The same database, reached as another login. */
export function urlFor(login: Login, databaseUrl: string, roleSecret: string): string {
  const url = new URL(databaseUrl)
  url.username = login
  url.password = passwordOf(login, roleSecret)
  return url.href
}
