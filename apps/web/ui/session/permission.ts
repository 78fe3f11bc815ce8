import type { AnyRoute } from '@tanstack/react-router'

declare module '@tanstack/router-core' {
  interface StaticDataRouteOption {
    /** The permission that the page of this route needs; null: every member may open it. Pages inside it need it too. */
    needs?: string | null
  }
}

type May = (permission: string) => boolean

export const mayWith =
  (permissions: readonly string[]): May =>
  (permission) =>
    permissions.includes('*') || permissions.includes(permission)

/** The permission that a person lacks of what a route needs. */
export const missingOf = (needs: string | null | undefined, may: May): string | undefined =>
  typeof needs === 'string' && !may(needs) ? needs : undefined

/** Whether the person has what a route needs, and the routes around it. */
export function mayEnter(route: AnyRoute, may: May): boolean {
  for (let one: AnyRoute | undefined = route; one; one = one.parentRoute)
    if (missingOf(one.options.staticData?.needs, may) !== undefined) return false
  return true
}
