import { type Routes as AllRoutes, ApiError, createClient, type WithVersions } from '@tendon/sdk'
import { appName } from '../app.ts'
import { changesConsents, tellConsentsChanged } from './consent-channel.ts'
import { consentGate, signInGate } from './gates.ts'

/** Sends the version that was read with every edit or deletion, so that changes by others are never overwritten. */
export type Routes = WithVersions<AllRoutes>

/**
 * One request to the API: `api('GET /v1/patients', { query: { q } })`, typed by its route. A 401 and a 412 open their gate over
 * the page, and the same request is sent again.
 */
export const api = createClient<Routes>({
  get app() {
    return appName()
  },
  onUnauthenticated: () => signInGate.wait(true),
  onConsentRequired: (error) => consentGate.wait(error),
  async fetch(url, init) {
    const response = await fetch(url, init)
    const changed = typeof url === 'string' && changesConsents(init?.method ?? 'GET', url)
    if (response.ok && changed) tellConsentsChanged()
    return response
  },
})

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
