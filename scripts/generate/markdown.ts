export const HEAD = '<!-- Written by "npm run generate". Do not edit. -->\n\n'

export function table(columns: string[], rows: string[][]): string {
  return line(columns) + line(columns.map(() => '---')) + rows.map(line).join('')
}

const line = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |\n`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const code = (text: string): string => `\`${text}\``

export const lines = (items: string[]): string => items.join('<br>')
