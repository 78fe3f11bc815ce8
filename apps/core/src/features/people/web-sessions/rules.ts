import { createHash } from 'node:crypto'
import { isObject, type WebApp } from '@tendon/contracts'

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** Where to go after the sign-in: a path of the app, never another site. Anything else is the app's start. */
export function safePath(to: string | undefined, app: WebApp): string {
  const start = `/${app}/`
  if (to === undefined || !URL.canParse(to, 'http://here')) return start
  const { origin, pathname, search } = new URL(to, 'http://here')
  const inside = pathname === `/${app}` || pathname.startsWith(start)
  return origin === 'http://here' && inside && !pathname.includes('//') ? pathname + search : start
}

/** What the browser keeps between leaving for the provider and coming back. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
  to: string
}

export const writeAttempt = (attempt: Attempt): string => Buffer.from(JSON.stringify(attempt)).toString('base64url')

const isAttempt = (value: unknown): value is Attempt =>
  isObject(value) &&
  [value.state, value.nonce, value.verifier, value.to].every((part) => typeof part === 'string' && part !== '')

export function readAttempt(text: string | undefined): Attempt | undefined {
  try {
    const attempt: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'))
    return isAttempt(attempt) ? attempt : undefined
  } catch {
    return undefined
  }
}

/** The state names the app, so that a callback without its cookie still knows where to send the person. */
export const appOfState = (state: string | undefined): WebApp | undefined =>
  (['console', 'portal', 'platform'] as const).find((app) => state?.startsWith(`${app}.`))
