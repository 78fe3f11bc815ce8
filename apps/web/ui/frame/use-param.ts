import { useParams } from '@tanstack/react-router'

/** A parameter of the page's URL. Pages do not import their route: the route imports them. */
export function useParam(name: string): string {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const value = params[name]
  if (value === undefined) throw new Error(`the URL of this page has no ${name}`)
  return value
}
