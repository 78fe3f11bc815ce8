// Splits SQL text into statements. Knows what the files of database/ use: line and block comments, quoted strings and
// identifiers, dollar quotes. Knows nothing of `begin atomic` bodies; functions have dollar-quoted bodies here.

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g

/** Each with the comments before it, without its semicolon. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (token !== ';') continue
    statements.push(sql.slice(start, index).trim())
    start = index + 1
  }
  statements.push(sql.slice(start).trim())
  return statements.filter((statement) => withoutComments(statement) !== '')
}

/** On one line, without comments. Strings and bodies keep their text. */
export function withoutComments(statement: string): string {
  return statement
    .replace(TOKEN, (token) => (token.startsWith('--') || token.startsWith('/*') ? ' ' : token))
    .replace(/\s+/g, ' ')
    .trim()
}
