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
  return Promise.all(names.map((name) => readSqlFile(folder, name)))
}

export const readSqlFile = async (folder: string, name: string): Promise<SqlFile> => ({
  name,
  text: await readFile(join(folder, name), 'utf8'),
})

/** The same on every system, whatever line endings git writes there. */
export const checksumOf = ({ text }: SqlFile): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

export interface Applied {
  name: string
  checksum: string | null
}

/** The files do not fit the database. A person has to act; the database is unchanged. */
export class MigrationsRefused extends Error {
  override name = 'MigrationsRefused'
}

/** The first of the migrations that the baseline replaced. */
const BEFORE_BASELINE = '0001_context.sql'

/**
 * Every applied migration must still be in the folder, unchanged. A migration later than every file is allowed: a newer
 * release has applied it while this one is being replaced. A file that was not applied is pending, whatever its number:
 * branches reserve numbers, and the lower one may land later.
 */
export function assertUnchanged(files: readonly SqlFile[], applied: readonly Applied[]): void {
  if (applied.some(({ name }) => name === BEFORE_BASELINE)) {
    throw new MigrationsRefused(
      'This database was made by a version of Tendon before its first release and cannot be brought up to date: use a new, empty database (locally: remove the data folder, DATA_DIR, and start again).',
    )
  }
  const known = new Map(files.map((file) => [file.name, checksumOf(file)]))
  const wrong = applied.flatMap(({ name, checksum }) => {
    const found = known.get(name)
    if (found === undefined) return isLaterThanAll(files, name) ? [] : [`${name} is missing`]
    return checksum === found ? [] : [`${name} was changed`]
  })
  if (wrong.length === 0) return
  throw new MigrationsRefused(
    `The migrations differ from those that created this database (${wrong.join(', ')}): restore the files as they were, and put changes into a new migration.`,
  )
}

/** Whether a newer release has migrated the database. */
export const isNewer = (files: readonly SqlFile[], applied: readonly Applied[]): boolean =>
  applied.some(({ name }) => isLaterThanAll(files, name))

function isLaterThanAll(files: readonly SqlFile[], name: string): boolean {
  return name > (files.at(-1)?.name ?? '')
}
