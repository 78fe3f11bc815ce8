import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BASE_MAJOR,
  type CatalogueObject,
  differing,
  formatReference,
  migrate,
  parseReference,
  referencePath,
  SNAPSHOT,
} from '@tendon/db'
import { installedBinaries, startTemporaryPostgres, TEST_ROLE_SECRET } from '@tendon/testing'
import { Client } from 'pg'
import type { Source } from './source.ts'

/** What a server expects to find in its database (packages/db/src/catalogue/reference.ts). */
export async function catalogueReference({ query }: Source): Promise<string> {
  return formatReference(
    await query<CatalogueObject>(SNAPSHOT),
    `The database on PostgreSQL ${BASE_MAJOR}, as a server must find it.`,
  )
}

/** The same for an older major. Where that is not installed, the file stays as it is. */
export async function olderCatalogueReference(source: Source, major: number): Promise<string> {
  const binaries = installedBinaries(major)
  if (binaries === undefined) return readFile(join(import.meta.dirname, '../..', referencePath(major)), 'utf8')
  const postgres = await startTemporaryPostgres({ binaries })
  try {
    await migrate({ url: postgres.url, roleSecret: TEST_ROLE_SECRET })
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query<CatalogueObject>(SNAPSHOT).finally(() => client.end())
    return formatReference(
      differing(rows, parseReference(await catalogueReference(source))),
      `The lines in which PostgreSQL ${major} differs from ${referencePath(BASE_MAJOR)}.`,
    )
  } finally {
    await postgres.remove()
  }
}
