// Who may call a route. Declared in its config; a route without one stops the boot (see route-table.ts).

export type Access =
  | { kind: 'public' }
  | { kind: 'authenticated' }
  /** Any member of the organization in context. */
  | { kind: 'membership' }
  /** `orPatient`: or a patient of the organization in context, who reaches the rows about themself. */
  | { kind: 'permission'; code: string; orPatient?: true }
  /** A human who is a patient somewhere; what they reach follows ownership of rows. */
  | { kind: 'patient' }
  /** `code`: the right of the platform that this is, held by superadmins alone. */
  | { kind: 'superadmin'; code?: string }

export const publicAccess = (): Access => ({ kind: 'public' })
export const authenticated = (): Access => ({ kind: 'authenticated' })
export const membership = (): Access => ({ kind: 'membership' })
export const permission = (code: string): Access => ({ kind: 'permission', code })
export const permissionOrPatient = (code: string): Access => ({ kind: 'permission', code, orPatient: true })
export const patient = (): Access => ({ kind: 'patient' })
export const superadmin = (code?: string): Access => ({ kind: 'superadmin', ...(code === undefined ? {} : { code }) })

/** The parameter with the organization in the URL of its route group: the first one. */
export const organizationParameter = (url: string): string | undefined =>
  /^\/v1\/organizations\/:(id|org_id)(?=\/|$)/.exec(url)?.[1]

/** A route group of one organization: its URL must name the caller's current organization. */
export const isOrganizationRoute = (url: string): boolean => organizationParameter(url) !== undefined

/** The parameter that names one patient: the one after `/patients/`. */
export const patientParameter = (url: string): string | undefined => /\/patients\/:(\w+)/.exec(url)?.[1]
