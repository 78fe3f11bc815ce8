// RFC 4180 for spreadsheets: with a byte order mark, and text that would be a formula is escaped.

const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NEEDS_QUOTES = /[",\r\n]/

function cellOf(text: string): string {
  const harmless = STARTS_FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const csvOf = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`

/** Saves text as a file of this name. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
