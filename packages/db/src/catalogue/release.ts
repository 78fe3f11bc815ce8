import { join } from 'node:path'
import { checksumOf, readSqlFiles } from '../migration-files.ts'

/** A row of the function applied_files. */
export interface AppliedFile {
  kind: 'migration' | 'functions'
  name: string
  checksum: string
  is_current: boolean
}

interface ReleaseState {
  /** Files of this release that the database lacks. */
  missing: string[]
  /** Files that a newer release has applied. */
  newer: string[]
}

/** Whether the database was migrated by this release, an older or a newer one. */
export async function compareRelease(root: string, applied: readonly AppliedFile[]): Promise<ReleaseState> {
  const [migrations, functions] = await Promise.all([
    readSqlFiles(join(root, 'database/migrations')),
    readSqlFiles(join(root, 'database/functions')),
  ])
  const names = new Set(migrations.map(({ name }) => name))
  const done = applied.filter(({ kind }) => kind === 'migration').map(({ name }) => name)
  const files = applied.filter(({ kind }) => kind === 'functions')
  const current = new Set(functions.map((file) => `${file.name} ${checksumOf(file)}`))
  const isApplied = (file: (typeof functions)[number]) =>
    files.some(({ name, checksum }) => name === file.name && checksum === checksumOf(file))
  return {
    missing: [
      ...migrations.filter(({ name }) => !done.includes(name)).map(({ name }) => `migrations/${name}`),
      ...functions.filter((file) => !isApplied(file)).map(({ name }) => `functions/${name}`),
    ],
    newer: [
      ...done.filter((name) => !names.has(name)).map((name) => `migrations/${name}`),
      ...files
        .filter(({ name, checksum, is_current }) => is_current && !current.has(`${name} ${checksum}`))
        .map(({ name }) => `functions/${name}`),
    ].sort(),
  }
}
