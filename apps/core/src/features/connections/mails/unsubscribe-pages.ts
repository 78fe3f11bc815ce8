import { createHash } from 'node:crypto'

type Language = 'en' | 'ro'

const WORDS = {
  en: {
    title: 'Messages from {clinic}',
    question: 'Do you want to stop receiving news and offers from {clinic}? Messages about your care are not affected.',
    button: 'Stop these messages',
    done: 'You will receive no more news and offers from {clinic}.',
  },
  ro: {
    title: 'Mesaje de la {clinic}',
    question:
      'Doriți să nu mai primiți noutăți și oferte de la {clinic}? Mesajele despre îngrijirea dumneavoastră nu sunt afectate.',
    button: 'Opriți aceste mesaje',
    done: 'Nu veți mai primi noutăți și oferte de la {clinic}.',
  },
}

const STYLE =
  'body{font:18px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1f2933}' +
  'button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:6px;background:#1d6f5c;color:#fff;cursor:pointer}'

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)

const page = (language: Language, clinic: string, body: (words: (typeof WORDS)['en']) => string) => {
  const words = WORDS[language]
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>${words.title}</title><style>${STYLE}</style></head>` +
    `<body><h1>${words.title}</h1>${body(words)}</body></html>`
  return html.replaceAll('{clinic}', () => escape(clinic))
}

/** The button posts to the page's own URL. */
export const questionPage = (language: Language, clinic: string) =>
  page(
    language,
    clinic,
    ({ question, button }) => `<p>${question}</p><form method="post"><button>${button}</button></form>`,
  )

export const confirmedPage = (language: Language, clinic: string) =>
  page(language, clinic, ({ done }) => `<p>${done}</p>`)
