import type { Language } from '@tendon/access'
import type { ExportManifest } from '@tendon/contracts'
import type { Row } from '../../../platform/data-class.ts'
import { columnWords, PAGE_TEXTS } from './texts.ts'

// index.html of an export: one page for people. It asks for nothing from anywhere, and every word that comes from the
// data is escaped.

export interface Section {
  name: string
  label: string
  file: string
  total: number
  /** The first rows, as HTML. */
  shown: string[]
}

export interface Reader {
  language: Language
  timeZone: string
}

const MAX_CELL_CHARACTERS = 2_000
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** English dates have the day before the month. */
const LOCALES = { en: 'en-GB', ro: 'ro-RO' } as const
const DATE = /^\d{4}-\d\d-\d\d$/

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.75rem } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #bbb }
dl { display: grid; grid-template-columns: 14rem 1fr; gap: .1rem 1rem; margin: 0 0 1rem; padding: .75rem; border: 1px solid #ddd; border-radius: .4rem }
dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap } dd dl { border: 0; padding: 0; margin: 0 }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr } }
@media print { body { max-width: none; margin: 0; font-size: 11pt } nav { display: none } dl { break-inside: avoid } h2 { break-after: avoid } }
`

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function rowHtml(row: Row, reader: Reader): string {
  const fields = Object.entries(row).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const lines = fields.map(
    ([column, value]) =>
      `<dt>${escapeHtml(columnWords(column, reader.language))}</dt><dd>${valueHtml(value, reader)}</dd>`,
  )
  return `<dl>${lines.join('')}</dl>`
}

function valueHtml(value: unknown, reader: Reader): string {
  const { yes, no } = PAGE_TEXTS[reader.language]
  if (typeof value === 'boolean') return value ? yes : no
  if (Array.isArray(value)) return value.map((item) => valueHtml(item, reader)).join(', ')
  if (typeof value === 'object' && value !== null) return rowHtml({ ...value }, reader)
  const text = inWords(String(value), reader)
  return escapeHtml(text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS)}…` : text)
}

function inWords(text: string, { language, timeZone }: Reader): string {
  const locale = LOCALES[language]
  if (TIMESTAMP.test(text))
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(text))
  if (DATE.test(text))
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(text))
  return text
}

export function pageHtml(
  manifest: Omit<ExportManifest, 'files'>,
  sections: readonly Section[],
  reader: Reader,
): string {
  const words = PAGE_TEXTS[reader.language]
  const head = [
    [words.clinic, manifest.organization.name],
    [words.created, inWords(manifest.created_at, reader)],
    [words.record, manifest.patient_id],
  ]
  return `<!doctype html>
<html lang="${reader.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${words.title}</h1>
<p>${words.intro}</p>
<dl>${head.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value ?? '')}</dd>`).join('')}</dl>
<nav><h2>${words.contents}</h2><ul>
${sections.map(({ name, label, total }) => `<li><a href="#${name}">${escapeHtml(label)}</a> (${total})</li>`).join('\n')}
</ul></nav>
${sections.map((section) => sectionHtml(section, reader.language)).join('\n')}
<h2>${words.leftOut}</h2>
<ul>
${manifest.left_out.map(({ name, reason }) => `<li>${escapeHtml(name)}: ${escapeHtml(reason)}</li>`).join('\n')}
</ul>
</body>
</html>
`
}

function sectionHtml({ name, label, file, total, shown }: Section, language: Language): string {
  const { none, more } = PAGE_TEXTS[language]
  const rest = total > shown.length ? `<p>${escapeHtml(more(shown.length, total, file))}</p>` : ''
  const rows = total === 0 ? `<p>${none}</p>` : shown.join('\n')
  return `<section id="${name}"><h2>${escapeHtml(label)}</h2>\n${rows}${rest}</section>`
}
