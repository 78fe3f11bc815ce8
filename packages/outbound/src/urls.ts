export const URL_MAX_LENGTH = 2_048

export type UrlProblem = 'unparsable' | 'too_long' | 'not_https' | 'credentials'

/** Why a URL can never be requested; undefined when it may. Its host is checked when a connection is opened. */
export function urlProblem(text: string, allowHttp = false): UrlProblem | undefined {
  if (text.length > URL_MAX_LENGTH) return 'too_long'
  const url = URL.parse(text)
  if (!url || url.hostname === '') return 'unparsable'
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) return 'not_https'
  if (url.username !== '' || url.password !== '') return 'credentials'
  return undefined
}
