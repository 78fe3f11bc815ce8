// Who may call a route. Declared in its config; a route without one stops the boot (see route-table.ts).

export type Access =
  | { kind: 'public' }
  | { kind: 'authenticated' }
  /** Any member of the organization in context. */
  | { kind: 'membership' }
  | { kind: 'permission'; code: string }
  /** A human who is a patient somewhere; what they reach follows ownership of rows. */
  | { kind: 'patient' }
  | { kind: 'superadmin' }

export const publicAccess = (): Access => ({ kind: 'public' })
export const authenticated = (): Access => ({ kind: 'authenticated' })
export const membership = (): Access => ({ kind: 'membership' })
export const permission = (code: string): Access => ({ kind: 'permission', code })
export const patient = (): Access => ({ kind: 'patient' })
export const superadmin = (): Access => ({ kind: 'superadmin' })

/** A route group of one organization: its URL must name the caller's current organization. */
export const isOrganizationRoute = (url: string): boolean => /^\/v1\/organizations\/:(id|org_id)(\/|$)/.test(url)
