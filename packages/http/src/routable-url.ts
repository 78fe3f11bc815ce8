import type { IncomingMessage } from 'node:http'

const MAX_SEGMENT_LENGTH = 500
/** For the router, which must refuse nothing itself: Node limits the head of a request to 16 KB. */
export const MAX_URL_LENGTH = 16 * 1024

/** A URL that the router would refuse becomes an unknown one: 404 in the envelope, with all headers, counted. */
export const routableUrl = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string =>
  isRoutable(url) ? url : '/v1/unroutable'

function isRoutable(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  if (path.length > MAX_SEGMENT_LENGTH && path.split('/').some(({ length }) => length > MAX_SEGMENT_LENGTH))
    return false
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
