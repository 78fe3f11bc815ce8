import { createHash } from 'node:crypto'
import type { DocumentKind, DocumentLanguage } from '@tendon/contracts'
import { VERIFY_SCRIPT } from './verify-script.ts'

const WORDS = {
  en: {
    title: 'Verification of a document',
    exists: 'A document with this code exists.',
    unchecked:
      'The paper or file that you have was not checked: a code can be copied onto another page. Choose the PDF file to see whether it is the document that was issued.',
    kind: 'Kind',
    kinds: {
      form: 'Form',
      appointment_letter: 'Appointment letter',
      treatment_plan: 'Treatment plan',
      attendance_certificate: 'Certificate of attendance',
    },
    pages: 'Pages',
    issuedBy: 'Issued by',
    clinicToday: 'The clinic’s name today',
    issued: 'Issued on',
    choose: 'PDF file',
    hint: 'Choose the file or drop it on this page. It stays on your device: nothing is sent.',
    waiting: 'No file was checked.',
    checking: 'Checking the file…',
    same: '✓ This file is the document that was issued, without any change.',
    different:
      '✗ This file is not the document that was issued with this code. It was changed, or it is another file. Do not rely on it; ask the issuer.',
    several: 'Several files were dropped. None was checked. Choose one file.',
    unreadable: 'The file could not be read. Choose it again.',
    unable: 'This browser cannot check the file here. Compare the SHA-256 of your file with the one below.',
    paper: 'If you have only the paper, ask for the PDF file, or ask the issuer whether the content is right.',
    byHand: 'Check by hand',
    compare: 'The SHA-256 of the issued file is:',
    invalid: '✗ No document with this code was issued.',
    other: 'Română',
  },
  ro: {
    title: 'Verificarea unui document',
    exists: 'Există un document cu acest cod.',
    unchecked:
      'Documentul pe care îl aveți, pe hârtie sau ca fișier, nu a fost verificat: un cod poate fi copiat pe altă pagină. Alegeți fișierul PDF pentru a vedea dacă este documentul emis.',
    kind: 'Tip',
    kinds: {
      form: 'Formular',
      appointment_letter: 'Scrisoare despre o programare',
      treatment_plan: 'Plan de tratament',
      attendance_certificate: 'Adeverință de prezență',
    },
    pages: 'Pagini',
    issuedBy: 'Emis de',
    clinicToday: 'Numele de azi al clinicii',
    issued: 'Emis la',
    choose: 'Fișierul PDF',
    hint: 'Alegeți fișierul sau trageți-l pe această pagină. Rămâne pe dispozitivul dumneavoastră: nu se trimite nimic.',
    waiting: 'Nu a fost verificat niciun fișier.',
    checking: 'Se verifică fișierul…',
    same: '✓ Acest fișier este documentul emis, fără nicio modificare.',
    different:
      '✗ Acest fișier nu este documentul emis cu acest cod. A fost modificat sau este alt fișier. Nu vă bazați pe el; întrebați emitentul.',
    several: 'Au fost trase mai multe fișiere. Niciunul nu a fost verificat. Alegeți un singur fișier.',
    unreadable: 'Fișierul nu a putut fi citit. Alegeți-l din nou.',
    unable: 'Acest browser nu poate verifica fișierul aici. Comparați suma SHA-256 a fișierului cu cea de mai jos.',
    paper: 'Dacă aveți doar hârtia, cereți fișierul PDF sau întrebați emitentul dacă este corect conținutul.',
    byHand: 'Verificare manuală',
    compare: 'Suma SHA-256 a fișierului emis este:',
    invalid: '✗ Nu a fost emis niciun document cu acest cod.',
    other: 'English',
  },
}

const STYLE =
  ':root{color-scheme:light dark}' +
  'body{font:18px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color:#1f2933;background:#fff;overflow-wrap:anywhere}' +
  'h1{line-height:1.2;font-size:1.6rem}dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1rem}dt{color:#52606d}dd{margin:0}' +
  'label{display:block;font-weight:600}input{font:inherit;box-sizing:border-box;width:100%;min-height:3rem;padding:.5rem;border:2px dashed #52606d;border-radius:6px;cursor:pointer}' +
  'input::file-selector-button{font:inherit;min-height:2rem;margin-inline-end:.6rem}' +
  '.over input{border-color:#1d6f5c;border-style:solid}:focus-visible{outline:3px solid #2563eb;outline-offset:2px}' +
  '#result{padding:.8rem 1rem;border-left:6px solid #52606d;background:#f1f4f6}' +
  '#result[data-state=same]{border-color:#1d6f5c;background:#e6f4ef}#result[data-state=different]{border-color:#b42318;background:#fdecea}' +
  'a{display:inline-block;line-height:44px;min-width:44px;color:#0b5cad}summary{padding:.6rem 0;cursor:pointer}' +
  '@media (prefers-color-scheme:dark){body{color:#e4e7eb;background:#14181d}dt{color:#a3adb8}a{color:#7ab8ff}' +
  '#result{background:#20262d}#result[data-state=same]{background:#12362c}#result[data-state=different]{background:#431512}' +
  ':focus-visible{outline-color:#7ab8ff}}'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-robots-tag': 'noindex',
  'content-security-policy':
    `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(VERIFY_SCRIPT)}; ` +
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)

function page(language: DocumentLanguage, body: string): string {
  const { title, other } = WORDS[language]
  const otherLanguage = language === 'en' ? 'ro' : 'en'
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${title}</h1>${body}` +
    `<p><a href="?language=${otherLanguage}" lang="${otherLanguage}" hreflang="${otherLanguage}">${other}</a></p></main></body></html>`
  )
}

interface VerifiedFacts {
  kind: DocumentKind
  pages: number
  issued_by: string | null
  clinic: string
  issued: string
  sha256: string
  size: number
}

/** Says that the document exists. Whether the reader's file is this document, only its bytes can say. */
export function existingPage(language: DocumentLanguage, verified: VerifiedFacts) {
  const { kind, pages, issued_by, clinic, issued, sha256, size } = verified
  const words = WORDS[language]
  const facts = [
    [words.kind, words.kinds[kind]],
    [words.pages, String(pages)],
    ...(issued_by === null ? [] : [[words.issuedBy, issued_by] as const]),
    ...(issued_by === clinic ? [] : [[words.clinicToday, clinic] as const]),
    [words.issued, issued],
  ] as const
  const states = (['waiting', 'checking', 'same', 'different', 'several', 'unreadable'] as const)
    .map((state) => ` data-${state}="${words[state]}"`)
    .join('')
  return page(
    language,
    `<p><strong>${words.exists}</strong></p>` +
      `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`).join('')}</dl>` +
      `<p id="unchecked">${words.unchecked}</p>` +
      `<div id="checker" hidden><label for="file">${words.choose}</label>` +
      `<input id="file" type="file" accept="application/pdf,.pdf" aria-describedby="hint" data-sha256="${sha256}" data-size="${size}">` +
      `<p id="hint">${words.hint}</p>` +
      `<p id="result" role="status" data-state="waiting"${states}>${words.waiting}</p></div>` +
      `<p id="unable" hidden>${words.unable}</p><p>${words.paper}</p>` +
      `<details id="by-hand" open><summary>${words.byHand}</summary><p>${words.compare}</p><p><code>${sha256}</code></p></details>` +
      `<script>${VERIFY_SCRIPT}</script>`,
  )
}

export const invalidPage = (language: DocumentLanguage): string => page(language, `<p>${WORDS[language].invalid}</p>`)
