import type { AnyRoute } from '@tanstack/react-router'

export interface Needs {
  /** One of these; none: every member has it. */
  anyOf: readonly string[]
  /** And each of these. */
  allOf?: readonly string[]
}

declare module '@tanstack/router-core' {
  interface StaticDataRouteOption {
    /** The permission that the page of this route needs; null: every member may open it. Pages inside it need it too. */
    needs?: string | Needs | null
  }
}

type May = (permission: string) => boolean

export const mayWith =
  (permissions: readonly string[]): May =>
  (permission) =>
    permissions.includes('*') || permissions.includes(permission)

/** The permission that a person lacks of what a route needs; the first, where one of several is enough. */
export function missingOf(needs: string | Needs | null | undefined, may: May): string | undefined {
  const { anyOf, allOf = [] } = typeof needs === 'string' ? { anyOf: [needs] } : (needs ?? { anyOf: [] })
  return allOf.find((one) => !may(one)) ?? (anyOf.some(may) ? undefined : anyOf[0])
}

/** Whether the person has what a route needs, and the routes around it. */
export function mayEnter(route: AnyRoute, may: May): boolean {
  for (let one: AnyRoute | undefined = route; one; one = one.parentRoute)
    if (missingOf(one.options.staticData?.needs, may) !== undefined) return false
  return true
}
