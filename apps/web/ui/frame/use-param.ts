import { useParams } from '@tanstack/react-router'

/** A parameter of the page's URL. Pages do not import their route: the route imports them. */
export function useParam(name: string): string {
  const value = (useParams({ strict: false }) as Record<string, string | undefined>)[name]
  if (value === undefined) throw new Error(`the URL of this page has no ${name}`)
  return value
}
