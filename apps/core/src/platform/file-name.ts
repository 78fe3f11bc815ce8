import type { FileKind } from './file-kind.ts'

export const MAX_FILE_NAME_CHARACTERS = 150

// What Windows refuses; control characters; marks that turn the direction of writing around.
const FORBIDDEN = /[<>:"|?*\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  jpg: ['jpg', 'jpeg', 'jfif'],
  tif: ['tif', 'tiff'],
  mpg: ['mpg', 'mpeg'],
  heic: ['heic', 'heif'],
  txt: ['txt', 'log', 'md'],
}

/** What the sender called the file, as a label: one name without a path, which ends as its kind does. */
export function labelOf(given: string, { extension }: FileKind): string {
  const path = Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\'))
  const name = given
    .slice(path + 1)
    .slice(0, 2 * MAX_FILE_NAME_CHARACTERS)
    .toWellFormed()
    .normalize()
    .replace(FORBIDDEN, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const [, stem = name, end = ''] = /^(.+)\.([a-z0-9]{1,5})$/i.exec(name) ?? []
  const spellings = SPELLINGS[extension] ?? [extension]
  const fits = spellings.includes(end.toLowerCase())
  const label = (fits ? stem : name).slice(0, MAX_FILE_NAME_CHARACTERS).replace(/[\s\ud800-\udbff]+$/, '')
  return `${label || 'file'}.${fits ? end : extension}`
}
