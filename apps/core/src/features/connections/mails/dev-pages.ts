import type { DevelopmentMail } from './queries.ts'

export interface ShownMail extends DevelopmentMail {
  subject: string
  text: string
  html: string
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2933}
table{width:100%;border-collapse:collapse}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #e4e7eb}
iframe{width:100%;height:32rem;border:1px solid #cbd2d9;border-radius:6px}pre{white-space:pre-wrap;background:#f5f7fa;padding:1rem}`

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title><style>${STYLE}</style></head>` +
  `<body>${body}</body></html>`

const when = (iso: string) => escape(iso.replace('T', ' ').slice(0, 19))

export const devMailsPage = (mails: readonly ShownMail[]) =>
  page(
    'Mails',
    `<h1>Mails</h1><p>What the platform has written last, newest first. This page exists in development only.</p>
${mails.length === 0 ? '<p>No mail yet: invite a member or a patient.</p>' : ''}<table>
<tr><th>To</th><th>Subject</th><th>Status</th><th>Written</th></tr>
${mails
  .map(
    (mail) =>
      `<tr><td>${escape(mail.to_address)}</td><td><a href="/dev/mails/${mail.id}">${escape(mail.subject)}</a></td>` +
      `<td>${escape(mail.status)}</td><td>${when(mail.created_at)}</td></tr>`,
  )
  .join('\n')}</table>`,
  )

/** Links are written out below the frame too: a sandboxed frame opens none. */
export const devMailPage = (mail: ShownMail) =>
  page(
    mail.subject,
    `<p><a href="/dev/mails">All mails</a></p><h1>${escape(mail.subject)}</h1>
<p>To ${escape(mail.to_address)}, from ${escape(mail.organization_name ?? 'Tendon')}, ${escape(mail.status)}, ${when(mail.created_at)}</p>
${linksOf(mail.text)}
<iframe sandbox="allow-popups allow-top-navigation-by-user-activation" src="/dev/mails/${mail.id}/html" title="HTML"></iframe>
<h2>Text</h2><pre>${escape(mail.text)}</pre>
<h2>Sign in as the recipient</h2>
<pre>npm run token -- ${escape(mail.to_address)}</pre>`,
  )

function linksOf(text: string): string {
  const urls = new Set(text.match(/https?:\/\/\S+/g) ?? [])
  return [...urls].map((url) => `<p>Link: <a href="${escape(url)}">${escape(url)}</a></p>`).join('\n')
}
