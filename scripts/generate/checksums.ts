import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checksumOf, readSqlFiles } from '../../packages/db/src/migration-files.ts'

export const CHECKSUMS = 'database/checksums.txt'

const database = join(import.meta.dirname, '../../database')

/**
 * The migrations with their checksums. A line that is there never changes: databases that have applied the file would
 * refuse the release. Only new files are added.
 */
export async function migrationChecksums(): Promise<string> {
  const listed = await readFile(join(database, 'checksums.txt'), 'utf8').catch(() => '')
  const files = await readSqlFiles(join(database, 'migrations'))
  return addChecksums(
    listed,
    files.map((file) => ({ name: file.name, checksum: checksumOf(file) })),
  )
}

export function addChecksums(listed: string, files: readonly { name: string; checksum: string }[]): string {
  const found = new Map(files.map(({ name, checksum }) => [name, checksum]))
  const known = new Map(
    listed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('  ', 2))
      .map(([checksum = '', name = '']) => [name, checksum]),
  )
  for (const [name, checksum] of known)
    if (found.get(name) !== checksum)
      throw new Error(
        `The migration ${name} was ${found.has(name) ? 'changed' : 'removed'}: restore it and put the change into a new one. Only if no release contains it, remove its line from ${CHECKSUMS}.`,
      )
  return [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, checksum]) => `${checksum}  ${name}\n`)
    .join('')
}
