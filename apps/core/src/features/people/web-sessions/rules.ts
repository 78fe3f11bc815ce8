import { createHash } from 'node:crypto'
import type { WebApp } from '@tendon/contracts'

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

export function readAttempt(text: string | undefined): Attempt | undefined {
  try {
    const attempt = JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8')) as Partial<Attempt>
    const { state, nonce, verifier, to } = attempt
    const complete = [state, nonce, verifier, to].every((part) => typeof part === 'string' && part !== '')
    return complete ? (attempt as Attempt) : undefined
  } catch {
    return undefined
  }
}

/** The state names the app, so that a callback without its cookie still knows where to send the person. */
export const appOfState = (state: string | undefined): WebApp | undefined =>
  (['console', 'portal', 'platform'] as const).find((app) => state?.startsWith(`${app}.`))
