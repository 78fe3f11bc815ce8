import type { IncomingMessage } from 'node:http'

const MAX_SEGMENT_LENGTH = 500
/** Larger than any URL, so that the router never refuses one: Node limits the head of a request to 16 KB. */
export const MAX_URL_LENGTH = 16 * 1024

/** Replaces a URL that the router would refuse by an unknown one: 404 in the envelope, with all headers and metrics. */
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
