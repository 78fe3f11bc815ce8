import { join } from 'node:path'
import { readSqlFiles, type SqlFile } from './migration-files.ts'
import { splitStatements, withoutComments } from './sql-statements.ts'

// What a migration must not do to a table that may be large: hold a lock that stops its writers while PostgreSQL reads or
// rewrites all rows. Tables that the same file creates are empty and therefore exempt, and so are the baseline files.
// A table that is known to stay small is exempt by a comment in the file: `-- Small table: plans (one row per plan).`

/** The first line of a migration whose statements run one by one, without a transaction around them. */
export const OUTSIDE_TRANSACTION = '-- Runs outside a transaction.'

const LAST_BASELINE = '0010'
const NAME = String.raw`(?:only )?(?:public\.)?"?(\w+)"?`
const SMALL_TABLE = /^-- Small table: (\w+) \(.+\)\.$/gm
const CREATE_TABLE = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${NAME}`, 'i')
/** A column, up to anywhere in its definition. */
const ADD_COLUMN = String.raw`add (?:column )?(?:if not exists )?(?!constraint )\w+ (?:(?!, add ).)*?`
/** Evaluated once for all rows. What is not listed here counts as volatile. */
const STABLE_FUNCTIONS = String.raw`now|current_app_\w+|jsonb_build_object|jsonb_build_array`
const CONSTRAINT = String.raw`add (?:constraint \w+ )?(?:check|foreign key|exclude)`

interface Rule {
  /** The first group is the name of the table. */
  pattern: RegExp
  problem: string
}

const alterTable = (action: string) => new RegExp(`^alter table (?:if exists )?${NAME} (?:.*,)? ?${action}`, 'i')

const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(`^create (?:unique )?index (?!concurrently)(?:.*?) on ${NAME}`, 'i'),
    problem: `creates an index and blocks writers meanwhile: use "create index concurrently" in a file of its own that begins with "${OUTSIDE_TRANSACTION}"`,
  },
  {
    pattern: alterTable(String.raw`${ADD_COLUMN}default (?!(?:public\.)?(?:${STABLE_FUNCTIONS})\()(?:\w+\.)?\w+\(`),
    problem:
      'adds a column with a volatile default, which rewrites the table: add it without a default, set the default afterwards, and fill the rows in batches',
  },
  {
    pattern: alterTable(String.raw`${ADD_COLUMN}generated always as \(.*stored`),
    problem:
      'adds a stored generated column, which rewrites the table: add a plain column and fill the rows in batches',
  },
  {
    pattern: alterTable(String.raw`${ADD_COLUMN}generated (?:always|by default) as identity`),
    problem: 'adds an identity column, which rewrites the table: use a new table, or a uuid',
  },
  {
    pattern: alterTable(String.raw`${ADD_COLUMN}check \(`),
    problem:
      'adds a column with a check and reads all rows under a lock: add the column without it, and the check "not valid"; validate it in the next migration',
  },
  {
    pattern: alterTable(String.raw`${CONSTRAINT}(?!.*\bnot valid\b)`),
    problem:
      'adds a constraint and checks all rows under a lock: add it "not valid", and validate it in the next migration',
  },
  {
    pattern: alterTable(String.raw`add (?:constraint \w+ )?(?:unique|primary key)(?! using index)`),
    problem:
      'adds a unique constraint, which builds an index under a lock: create the index concurrently first, and add the constraint "using index"',
  },
  {
    pattern: alterTable(String.raw`alter (?:column )?\w+ set not null`),
    problem:
      'sets not null and reads all rows under a lock: add and validate "check (… is not null) not valid" first, and write "-- Checked: <constraint>" above this statement',
  },
  {
    pattern: alterTable(String.raw`alter (?:column )?\w+ (?:set data )?type`),
    problem: 'changes the type of a column, which rewrites the table: add a new column and fill the rows in batches',
  },
  {
    pattern: new RegExp(`^(?:with .* )?update ${NAME} (?!.*\\bwhere\\b)`, 'i'),
    problem: 'updates a whole table in one transaction: fill the rows in batches, in a job',
  },
  {
    pattern: new RegExp(`^delete from ${NAME}(?!.*\\bwhere\\b)`, 'i'),
    problem: 'deletes all rows of a table in one transaction: delete them in batches, in a job',
  },
  {
    pattern: new RegExp(`^(?:cluster|vacuum full|lock table|truncate(?: table)?) ${NAME}`, 'i'),
    problem: 'locks a whole table',
  },
]

/** Sentences about a migration that would block a large table. */
export function findLocks(file: SqlFile): string[] {
  if (file.name <= `${LAST_BASELINE}~`) return []
  const statements = splitStatements(file.text)
  const exempt = new Set([
    ...[...file.text.matchAll(SMALL_TABLE)].map(([, table]) => table),
    ...statements.map((statement) => CREATE_TABLE.exec(withoutComments(statement))?.[1]),
  ])
  const outside = file.text.startsWith(OUTSIDE_TRANSACTION)
  return [
    ...statements.flatMap((statement) => problemsOf(statement, exempt)),
    ...findValidatedTooSoon(statements),
    ...(outside ? findUnsafeOutside(statements) : []),
  ].map((problem) => `${file.name} ${problem}.`)
}

function problemsOf(statement: string, exempt: ReadonlySet<string | undefined>): string[] {
  const flat = withoutComments(statement)
  const isChecked = /^-- Checked: \w+/m.test(statement)
  return RULES.flatMap(({ pattern, problem }) => {
    const table = pattern.exec(flat)?.[1]
    if (table === undefined || exempt.has(table)) return []
    if (isChecked && problem.startsWith('sets not null')) return []
    return [`(${table}) ${problem}`]
  })
}

/** The lock of adding the constraint is held until the end of the transaction, so the check of all rows has to wait. */
function findValidatedTooSoon(statements: readonly string[]): string[] {
  const all = statements.map(withoutComments).join('; ')
  return [...all.matchAll(/validate constraint (\w+)/gi)]
    .map(([, name]) => name)
    .filter((name) => new RegExp(`add constraint ${name} `, 'i').test(all))
    .map((name) => `validates ${name} in the transaction that adds it: validate it in the next migration`)
}

/** Without a transaction a kill leaves an invalid index behind, so the file has to be repeatable. */
function findUnsafeOutside(statements: readonly string[]): string[] {
  const flat = statements.map(withoutComments)
  const odd = flat.filter(
    (text) => !/^(create (unique )?index concurrently|drop index concurrently if exists) /i.test(text),
  )
  if (odd.length > 0) return ['runs outside a transaction, but does more than create and drop indexes concurrently']
  const created = flat.flatMap((text) => /^create (?:unique )?index concurrently (\w+) /i.exec(text)?.[1] ?? [])
  return created
    .filter((name) => !flat.some((text) => text.toLowerCase() === `drop index concurrently if exists ${name}`))
    .map(
      (name) =>
        `creates ${name} without "drop index concurrently if exists ${name}" before it, so a killed run cannot be repeated`,
    )
}

/** Definer functions whose comment gives no reason. */
export function findUnexplained(file: SqlFile): string[] {
  return splitStatements(file.text).flatMap((statement) => {
    const head = /create or replace function (\w+)[\s\S]*?\bas \$/i.exec(statement)
    if (head === null || !/\bsecurity definer\b/i.test(withoutComments(head[0]))) return []
    const comment = statement.slice(0, head.index)
    if (/Security definer(?: \([^)]+\))?[:,] \S/.test(comment.replace(/\n-- /g, ' '))) return []
    return [
      `${file.name}: the comment above ${head[1]} does not say why it bypasses row-level security ("Security definer: …").`,
    ]
  })
}

/** Everything that is wrong with the files of the repository. */
export async function checkDatabaseFiles(): Promise<string[]> {
  const folder = join(import.meta.dirname, '../../../database')
  const [migrations, functions] = await Promise.all([
    readSqlFiles(join(folder, 'migrations')),
    readSqlFiles(join(folder, 'functions')),
  ])
  return [...migrations.flatMap(findLocks), ...functions.flatMap(findUnexplained)]
}
