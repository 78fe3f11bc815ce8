import type { Client } from 'pg'
import { messageOf } from './error-message.ts'
import { checksumOf, type SqlFile } from './migration-files.ts'
import { splitStatements, withoutComments } from './sql-statements.ts'

// Functions are not migrated: database/functions/<area>.sql says what they are now. Two steps around the migrations:
// first the functions whose names the database does not know are created, so that a migration can use them in policies,
// triggers and defaults; afterwards all files are applied if the text of one has changed, in one transaction with the
// drop of functions that no file defines any more. Function bodies are not checked: they may use tables that a later
// migration creates. Functions that only past migrations use are in database/former-functions.sql: the first step creates
// those that a pending migration names, the second drops them.

const UNCHECKED = 'set local check_function_bodies = off'
/** The type of an argument or result does not exist yet. */
const UNDEFINED_TYPES = new Set(['42704', '42P01'])
/** `create or replace` cannot change the result or the names of arguments. */
const CANNOT_REPLACE = '42P13'

/** Functions in public, without those of extensions. */
const OURS = `p.pronamespace = 'public'::regnamespace
  and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

type AsOwner = <Result>(client: Client, work: () => Promise<Result>) => Promise<Result>

/** A function, or a block that runs as it is, and after it what sets its owner and grants. */
interface Definition {
  file: string
  name: string | undefined
  create: string
  settings: string[]
}

const CREATE = /^create (?:or replace )?function (?:public\.)?(\w+) ?\(/i

function definitionsIn({ name: file, text }: SqlFile): Definition[] {
  const definitions: Definition[] = []
  for (const statement of splitStatements(text)) {
    const flat = withoutComments(statement)
    const name = CREATE.exec(flat)?.[1]
    if (name !== undefined || /^do /i.test(flat)) definitions.push({ file, name, create: statement, settings: [] })
    else definitions.at(-1)?.settings.push(statement)
  }
  return definitions
}

interface MissingFunctions {
  files: readonly SqlFile[]
  former: SqlFile
  /** The migrations that are about to run. */
  pending: readonly SqlFile[]
}

/** Before the migrations. What needs a type that does not exist yet waits for `applyFunctions`. */
export async function createMissingFunctions(
  client: Client,
  { files, former, pending }: MissingFunctions,
  asOwner: AsOwner,
) {
  const { rows } = await client.query<{ name: string }>(
    `select distinct p.proname as name from pg_proc p where ${OURS}`,
  )
  const known = new Set(rows.map(({ name }) => name))
  const needed = definitionsIn(former).filter(({ name = '' }) => pending.some(({ text }) => text.includes(name)))
  const missing = [...needed, ...files.flatMap(definitionsIn)].filter(
    ({ name }) => name === undefined || !known.has(name),
  )
  if (missing.every(({ name }) => name === undefined)) return
  await asOwner(client, async () => {
    await client.query(UNCHECKED)
    for (const definition of missing) {
      await client.query('savepoint definition')
      try {
        await run(client, definition, [definition.create, ...definition.settings])
      } catch (error) {
        if (!UNDEFINED_TYPES.has(codeOf(error))) throw error
        await client.query('rollback to savepoint definition')
      }
    }
  })
}

/** After the migrations. Answers with the files whose text is new to the database. */
export async function applyFunctions(client: Client, files: readonly SqlFile[], asOwner: AsOwner): Promise<string[]> {
  const changed = await listChanged(client, files)
  if (changed.length === 0) return []
  const definitions = files.flatMap(definitionsIn)
  const replaced = new Set<string>()
  for (;;) {
    const clash = await asOwner(client, () => applyAll(client, files, definitions, replaced)).catch(clashIn)
    if (clash === undefined) return changed
    if (replaced.has(clash)) throw new Error(`Function ${clash} cannot be replaced.`)
    replaced.add(clash)
  }
}

async function listChanged(client: Client, files: readonly SqlFile[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from function_files where is_current',
  )
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const changed = files.filter((file) => applied.get(file.name) !== checksumOf(file)).map(({ name }) => name)
  const removed = [...applied.keys()].filter((name) => !files.some((file) => file.name === name))
  return [...changed, ...removed].sort()
}

// Defaults of a cluster that was upgraded from before version 18 still call our own uuidv7(), which no file defines there.
const KEPT = `not (p.proname = 'uuidv7' and p.pronargs = 0)`

/** `create or replace` writes a new version of the function's row: what this transaction did not write is in no file. */
const UNDEFINED_FUNCTIONS = `select p.oid::regprocedure::text as signature from pg_proc p
  where ${OURS} and ${KEPT} and p.xmin::text <> (pg_current_xact_id()::xid)::text order by 1`

async function applyAll(
  client: Client,
  files: readonly SqlFile[],
  definitions: readonly Definition[],
  replaced: ReadonlySet<string>,
): Promise<undefined> {
  await client.query(UNCHECKED)
  for (const name of replaced) await dropFunctions(client, name)
  for (const definition of definitions) await run(client, definition, [definition.create])
  const { rows } = await client.query<{ signature: string }>(UNDEFINED_FUNCTIONS)
  for (const { signature } of rows) {
    await client.query(`drop routine ${signature}`).catch((error: Error) => {
      throw new Error(
        `Function ${signature} is in no file of database/functions, but still in use (${error.message}). Put it into a file, or drop what uses it in a migration.`,
        { cause: error },
      )
    })
  }
  // Only now: a revoke, too, writes a new version of the row.
  await revokeGrants(client, definitions)
  for (const definition of definitions) await run(client, definition, definition.settings)
  await client.query('update function_files set is_current = false where is_current')
  await client.query(
    `insert into function_files (name, checksum, is_current)
    select name, checksum, true from unnest($1::text[], $2::text[]) as f (name, checksum)
    on conflict (name, checksum) do update set is_current = true, applied_at = now()`,
    [files.map(({ name }) => name), files.map(checksumOf)],
  )
  return undefined
}

/** `create or replace` keeps the grants of the function before it: only those that its file names come back. */
async function revokeGrants(client: Client, definitions: readonly Definition[]): Promise<void> {
  const { rows } = await client.query<{ signature: string; grantee: string }>(
    `select p.oid::regprocedure::text as signature,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end as grantee
    from pg_proc p, aclexplode(p.proacl) a
    where ${OURS} and p.proname = any ($1) and a.grantee <> p.proowner`,
    [definitions.map(({ name }) => name)],
  )
  await client.query(
    rows.map(({ signature, grantee }) => `revoke execute on routine ${signature} from ${grantee}`).join(';\n'),
  )
}

async function dropFunctions(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p where ${OURS} and p.proname = $1`,
    [name],
  )
  for (const { signature } of rows) await client.query(`drop function ${signature}`)
}

class DefinitionFailed extends Error {
  override name = 'DefinitionFailed'
  definition: Definition

  constructor(definition: Definition, cause: unknown) {
    super(`functions/${definition.file}: ${definition.name ?? 'a block'} failed: ${messageOf(cause)}`, { cause })
    this.definition = definition
  }
}

async function run(client: Client, definition: Definition, statements: readonly string[]): Promise<void> {
  try {
    await client.query(statements.join(';\n'))
  } catch (error) {
    throw new DefinitionFailed(definition, error)
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof DefinitionFailed ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

/** The name of the function that has to be dropped before it can be created as its file says. */
function clashIn(error: unknown): string | undefined {
  if (error instanceof DefinitionFailed && codeOf(error) === CANNOT_REPLACE) return error.definition.name
  throw error
}
