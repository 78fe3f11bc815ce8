import { withoutComments } from './sql-statements.ts'

interface Read {
  table: string
  column: string
}

interface Source {
  name: string
  body: string
}

/**
 * Every column that these functions, and those that they call, may read: too many rather than too few. A name without
 * table counts for each table of its statement. What cannot be followed is refused.
 */
export function columnsRead(
  roots: readonly string[],
  functions: readonly Source[],
  columnsOf: ReadonlyMap<string, readonly string[]>,
): Read[] {
  const reads = new Map<string, Read>()
  const waiting = [...roots]
  for (const name of waiting) {
    const bodies = functions.filter((one) => one.name === name)
    if (bodies.length === 0) throw new Error(`there is no function ${name}`)
    for (const { body } of bodies) {
      const text = withoutComments(body).replace(/'[^']*'/g, "''")
      if (/\bexecute\b|(?:\bselect|,|\.)\s*\*/i.test(text)) throw new Error(`${name} reads what its text does not name`)
      for (const called of functions)
        if (new RegExp(`\\b${called.name}\\b`).test(text) && !waiting.includes(called.name)) waiting.push(called.name)
      for (const statement of text.split(';'))
        for (const read of readsOf(statement, columnsOf)) reads.set(`${read.table}.${read.column}`, read)
    }
  }
  return [...reads.values()]
}

const NO_ALIAS = /^(?:where|on|join|left|cross|order|group|limit|inner|into|for|union)$/i

function readsOf(statement: string, columnsOf: ReadonlyMap<string, readonly string[]>): Read[] {
  const tables = [...columnsOf.keys()].filter((table) => new RegExp(`\\b${table}\\b`).test(statement))
  const aliases = new Map(tables.map((table) => [table, table]))
  for (const [, table = '', alias = ''] of statement.matchAll(/\b(?:from|join)\s+(\w+)\s+(?:as\s+)?(\w+)/gi))
    if (columnsOf.has(table) && !NO_ALIAS.test(alias)) aliases.set(alias, table)
  return tables.flatMap((table) => {
    const known = columnsOf.get(table) ?? []
    const names = [...aliases].filter(([, of]) => of === table).map(([alias]) => alias)
    // An alias without a column, outside of its definition, stands for the whole row.
    const isWhole = names.some((alias) => alias !== table && countOf(statement, `\\b${alias}\\b(?!\\s*\\.)`) > 1)
    return known
      .filter((column) => {
        const isNamed = names.some((alias) => countOf(statement, `\\b${alias}\\s*\\.\\s*${column}\\b`) > 0)
        return isWhole || isNamed || countOf(statement, `(?<![\\w.])${column}\\b(?!\\s*\\()`) > 0
      })
      .map((column) => ({ table, column }))
  })
}

const countOf = (text: string, pattern: string) => text.match(new RegExp(pattern, 'gi'))?.length ?? 0
