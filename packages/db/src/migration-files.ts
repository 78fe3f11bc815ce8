import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface SqlFile {
  name: string
  text: string
}

/** In the order in which they run. */
export async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })))
}

/** The same on every system, however git writes the ends of lines there. */
export const checksumOf = ({ text }: SqlFile): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

export interface Applied {
  name: string
  /** Null of one that was applied by a release that kept none. */
  checksum: string | null
}

/** Of files that were changed after a database had run them, in what they do to other databases only: the text before. */
const EARLIER_CHECKSUMS: Readonly<Record<string, string>> = {
  '0032_reviews.sql': '3ad59b3c3ab79435e6c0798eb1b6e536f3ed7432b7d8ee7f3739c72f10cf8b5e',
}

/** The files are not those that the database was made with. A person can mend it. */
export class MigrationsRefused extends Error {
  override name = 'MigrationsRefused'
}

/**
 * What was applied must still be in the folder, unchanged. A migration later than every file is another matter: a newer
 * release has applied it while this one is being replaced.
 */
export function assertUnchanged(files: readonly SqlFile[], applied: readonly Applied[]): void {
  const known = new Map(files.map((file) => [file.name, checksumOf(file)]))
  const newest = files.at(-1)?.name ?? ''
  const wrong = applied.flatMap(({ name, checksum }) => {
    const found = known.get(name)
    if (found === undefined) return name < newest ? [`${name} is missing`] : []
    const isSame = checksum === null || checksum === found || checksum === EARLIER_CHECKSUMS[name]
    return isSame ? [] : [`${name} was changed`]
  })
  if (wrong.length === 0) return
  throw new MigrationsRefused(
    `The migrations are not those that this database was made with (${wrong.join(', ')}): restore the files as they were, and put what is to change into a new migration.`,
  )
}
