import type { AnyMailTemplate, MailAttachment, MailBlock, MailCalendar, MailContext, MailLanguage } from './template.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
  attachments: readonly MailAttachment[]
  calendar?: MailCalendar
}

interface RenderOptions {
  language: MailLanguage
  context: Omit<MailContext, 'formatTime'>
  timeZone: string
  /** For marketing: the page where the consent is withdrawn. */
  unsubscribeUrl?: string
  branding?: MailBranding
}

/** Colour and logo of a clinic's mails. */
interface MailBranding {
  /** `#rrggbb` */
  color: string | null
  logoUrl: string | null
}

const FOOTER = {
  en: {
    sentBy: (name: string) => `Sent by ${name} with Tendon. Please do not reply with medical details.`,
    platform: 'Sent by Tendon.',
    unsubscribe: 'Stop receiving such messages',
  },
  ro: {
    sentBy: (name: string) => `Trimis de ${name} prin Tendon. Vă rugăm să nu răspundeți cu detalii medicale.`,
    platform: 'Trimis de Tendon.',
    unsubscribe: 'Nu mai doresc astfel de mesaje',
  },
}

export function renderMail(
  template: AnyMailTemplate,
  data: Record<string, unknown>,
  { language, context, timeZone, unsubscribeUrl, branding }: RenderOptions,
): RenderedMail {
  const formatTime = (iso: string, zone?: string) => {
    const time = new Intl.DateTimeFormat(language === 'ro' ? 'ro-RO' : 'en-GB', {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: zone ?? timeZone,
    }).format(new Date(iso))
    return zone === undefined ? time : `${time} (${zone})`
  }
  const { subject, body, attachments = [], calendar } = template[language](data, { ...context, formatTime })
  const words = FOOTER[language]
  const footer = context.organizationName === null ? words.platform : words.sentBy(context.organizationName)
  const leave = unsubscribeUrl === undefined ? [] : [{ label: words.unsubscribe, url: unsubscribeUrl }]
  return {
    subject: oneLine(subject),
    text: [...body.map(textOf), '--', footer, ...leave.map(textOf)].join('\n\n'),
    html: page(
      language,
      subject,
      { head: logoOf(branding, context.organizationName), body, footer: [footer, ...leave] },
      branding?.color,
    ),
    attachments,
    ...(calendar ? { calendar } : {}),
  }
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

function textOf(block: MailBlock): string {
  if (typeof block === 'string') return block
  if ('rows' in block) return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
  return `${block.label}:\n${webUrl(block.url)}`
}

function htmlOf(block: MailBlock): string {
  if (typeof block === 'string') return `<p>${escape(block).replaceAll('\n', '<br>')}</p>`
  if ('rows' in block) {
    const rows = block.rows.map(([label, value]) => `<tr><th>${escape(label)}</th><td>${escape(value)}</td></tr>`)
    return `<table>${rows.join('')}</table>`
  }
  return `<p><a class="button" href="${escape(webUrl(block.url))}">${escape(block.label)}</a></p>`
}

/** Only links to pages: a `javascript:` URL never reaches a reader. */
function webUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:')
    throw new Error('a link in a mail is http or https')
  return parsed.href
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)

const DEFAULT_COLOR = '#1d6f5c'

const styleOf = (
  color: string,
) => `body{font:16px/1.5 system-ui,sans-serif;color:#1f2933;background:#f5f7fa;margin:0;padding:24px}
main{max-width:560px;margin:0 auto;background:#fff;border-radius:8px;padding:24px 32px}
.button{display:inline-block;background:${color};color:#fff;text-decoration:none;border-radius:6px;padding:10px 18px}
th{text-align:left;font-weight:600;padding:2px 16px 2px 0;vertical-align:top}
footer{max-width:560px;margin:16px auto;font-size:13px;color:#52606d}footer .button{all:revert;color:#52606d}`

/** Accepts only colours, so that nothing else gets into the style sheet. */
const safeColor = (color: string | null | undefined) =>
  (/^#[0-9a-f]{6}$/.test(color ?? '') ? color : null) ?? DEFAULT_COLOR

const logoOf = (branding: MailBranding | undefined, name: string | null): string =>
  branding?.logoUrl
    ? `<p><img src="${escape(webUrl(branding.logoUrl))}" alt="${escape(name ?? '')}" height="48" style="max-width:100%"></p>`
    : ''

interface Page {
  head: string
  body: readonly MailBlock[]
  footer: readonly MailBlock[]
}

const page = (language: string, title: string, { head, body, footer }: Page, color: string | null | undefined) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${styleOf(safeColor(color))}</style></head>` +
  `<body><main>${head}${body.map(htmlOf).join('')}</main><footer>${footer.map(htmlOf).join('')}</footer></body></html>`
