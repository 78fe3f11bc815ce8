import type { AnyRoute } from '@tanstack/react-router'

/** One permission, or any of several; null or none: every member. */
export type Needs = string | readonly string[] | null

declare module '@tanstack/router-core' {
  interface StaticDataRouteOption {
    /** What the page of this route needs: one of these permissions; none: every member may open it. Pages inside it need it too. */
    needs?: Needs
  }
}

type May = (permission: string) => boolean

export const mayWith =
  (permissions: readonly string[]): May =>
  (permission) =>
    permissions.includes('*') || permissions.includes(permission)

/** The permission that a person lacks of what a route needs; the first, where one of several is enough. */
export function missingOf(needs: Needs | undefined, may: May): string | undefined {
  const anyOf = typeof needs === 'string' ? [needs] : (needs ?? [])
  return anyOf.some(may) ? undefined : anyOf[0]
}

/** Whether the person has what a route needs, and the routes around it. */
export function mayEnter(route: AnyRoute, may: May): boolean {
  for (let one: AnyRoute | undefined = route; one; one = one.parentRoute)
    if (missingOf(one.options.staticData?.needs, may) !== undefined) return false
  return true
}
