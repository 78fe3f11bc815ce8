import { type ByteRange, InvalidObjectRequest, RangeNotSatisfiable } from './port.ts'

const MAX_KEY_LENGTH = 512
// S3 does not sign for longer.
export const SIGNED_URL_MAX_SECONDS = 7 * 24 * 60 * 60

// A path segment never starts with a dot, so keys cannot escape; 200 characters fit any file system.
const KEY = /^[a-z0-9][a-z0-9_.-]{0,199}(\/[a-z0-9_-][a-z0-9_.-]{0,199})*$/
const PREFIX = /^([a-z0-9][a-z0-9/_.-]*)?$/
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=("[\w .,+/-]*"|[\w.+-]+))*$/
const MAX_CONTENT_TYPE_LENGTH = 255
const MAX_DOWNLOAD_NAME_LENGTH = 255

export function isObjectKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && KEY.test(key) && !key.includes('..')
}

export function checkKey(key: string): void {
  if (!isObjectKey(key)) throw new InvalidObjectRequest('The object key is not valid.')
}

export function checkPrefix(prefix: string): void {
  const valid = prefix.length <= MAX_KEY_LENGTH && PREFIX.test(prefix)
  if (!valid || /\.\.|\/[/.]/.test(prefix)) throw new InvalidObjectRequest('The prefix is not valid.')
}

export function checkContentType(contentType: string): void {
  if (contentType.length > MAX_CONTENT_TYPE_LENGTH || !CONTENT_TYPE.test(contentType)) {
    throw new InvalidObjectRequest('The content type is not valid.')
  }
}

export function checkDownloadName(name: string): void {
  const valid = name !== '' && name.length <= MAX_DOWNLOAD_NAME_LENGTH && name.isWellFormed()
  if (!valid || /[\x00-\x1f\x7f]/.test(name)) throw new InvalidObjectRequest('The download name is not valid.')
}

export function checkLifetime(seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > SIGNED_URL_MAX_SECONDS) {
    throw new InvalidObjectRequest(`A signed URL lives 1 to ${SIGNED_URL_MAX_SECONDS} seconds.`)
  }
}

export function checkRange({ start, end = start }: ByteRange): void {
  const valid = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
  if (!valid) throw new RangeNotSatisfiable()
}

/** The header that makes a browser save the object (RFC 6266), as `name` if given. */
export function attachmentDisposition(name?: string): string {
  if (name === undefined) return 'attachment'
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  if (ascii === name) return `attachment; filename="${name}"`
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
