import type { ByteRange } from '@tendon/object-store'

/**
 * The part of an object that a Range header asks for (RFC 9110, section 14). What is not one well-formed range of
 * bytes is ignored, as if it were not there; several ranges at once are.
 */
export function readRange(header: string | undefined, totalBytes: number): Required<ByteRange> | 'none' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, totalBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? totalBytes - 1 : Math.min(Number(last), totalBytes - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start < totalBytes ? { start, end } : 'none'
}
