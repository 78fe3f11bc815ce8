import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareTemplate } from './database.ts'
import { keptPack } from './kept-pack.ts'
import { packFolder } from './packed-folder.ts'
import { startTemporaryPostgres, type TemporaryPostgres, type TemporaryPostgresOptions } from './temporary-postgres.ts'

// To create a cluster and to migrate it takes longer than most test files: it is made once, and each run starts from a
// copy of what was kept.

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'node_modules/.cache/migrated-postgres')
/** What it is made from. The lock file names the versions of PostgreSQL and of graphile-worker. */
const SOURCES = [
  'database/**/*.sql',
  'packages/db/src/{*,embedded/*}.ts',
  'packages/testing/src/{database,kept-pack,migrated-postgres,packed-folder,temporary-postgres}.ts',
  'package-lock.json',
]

/** A temporary PostgreSQL with the template of test databases. */
export async function startMigratedPostgres(
  say: (line: string) => void,
  settings: Record<string, string> = {},
): Promise<TemporaryPostgres> {
  const packed = await keptPack({ folder: FOLDER, name: sourcesHash, make: packMigrated, say })
  return startTemporaryPostgres({ packed, settings }).catch(() => makeMigrated({ settings }))
}

async function packMigrated(): Promise<Buffer> {
  // Not with a shifted clock: its rows would be from the future of a later run.
  const postgres = await makeMigrated({ env: {} })
  try {
    await postgres.stop()
    return packFolder(postgres.dataDir, ['postgres', 'postgres.password'])
  } finally {
    await postgres.remove()
  }
}

async function makeMigrated(options: TemporaryPostgresOptions = {}): Promise<TemporaryPostgres> {
  const postgres = await startTemporaryPostgres(options)
  try {
    await prepareTemplate(postgres.url)
    return postgres
  } catch (error) {
    await postgres.remove()
    throw error
  }
}

function sourcesHash(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of sources()) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    hash.update(`\n${file} ${text.length}\n`).update(text)
  }
  return hash.digest('hex').slice(0, 32)
}

export const sources = (): string[] => globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts'] }).sort()
