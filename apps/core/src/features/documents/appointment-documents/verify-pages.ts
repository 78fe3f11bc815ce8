import { createHash } from 'node:crypto'
import type { DocumentLanguage } from '@tendon/contracts'

const WORDS = {
  en: {
    title: 'Verification of a document',
    valid: 'This document was issued by {clinic} on {date}.',
    compare: 'Compare the SHA-256 of your file with this one to see that nothing in it was changed:',
    invalid: 'No document with this code was issued.',
  },
  ro: {
    title: 'Verificarea unui document',
    valid: 'Acest document a fost emis de {clinic} la data de {date}.',
    compare: 'Comparați SHA-256 al fișierului dumneavoastră cu acesta, pentru a vedea că nimic nu a fost schimbat:',
    invalid: 'Nu a fost emis niciun document cu acest cod.',
  },
}

const STYLE =
  'body{font:18px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:#1f2933}' +
  'code{overflow-wrap:anywhere}'

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)

function page(language: DocumentLanguage, body: string): string {
  const { title } = WORDS[language]
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>` +
    `<body><h1>${title}</h1>${body}</body></html>`
  )
}

export function validPage(language: DocumentLanguage, facts: { clinic: string; date: string; sha256: string }): string {
  const words = WORDS[language]
  const sentence = words.valid
    .replace('{clinic}', () => escape(facts.clinic))
    .replace('{date}', () => escape(facts.date))
  return page(language, `<p>✓ ${sentence}</p><p>${words.compare}</p><p><code>${escape(facts.sha256)}</code></p>`)
}

export const invalidPage = (language: DocumentLanguage): string => page(language, `<p>✗ ${WORDS[language].invalid}</p>`)
