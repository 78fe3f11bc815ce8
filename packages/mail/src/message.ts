import { MailError } from './errors.ts'
import { headerAddress, headerText, looksEncoded } from './headers.ts'
import type { RenderedMail } from './render.ts'
import type { MailCalendar } from './template.ts'

export interface MailEnvelope {
  /** The row in the outbox: the Message-ID is made of it, so a mail that was sent twice is recognised. */
  id: string
  from: { name: string; address: string }
  to: string
  replyTo?: string
  /** RFC 8058: one click withdraws the consent. */
  unsubscribeUrl?: string
  date: Date
}

export interface ComposedMail {
  from: string
  to: string
  messageId: string
  /** The MIME message: every transport sends the same bytes. */
  raw: Buffer
}

export async function composeMail(envelope: MailEnvelope, mail: RenderedMail): Promise<ComposedMail> {
  const { id, from, to, replyTo, unsubscribeUrl, date } = envelope
  if (looksEncoded(to)) throw new MailError('recipient_refused', { permanent: true })
  if (!/^[^\s<>]+$/.test(from.address) || looksEncoded(from.address))
    throw new MailError('rejected', { permanent: true })
  const messageId = `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    to: { name: '', address: to },
    ...(replyTo === undefined || looksEncoded(replyTo) ? {} : { replyTo: { name: '', address: replyTo } }),
    text: mail.text,
    html: mail.html,
    alternatives: mail.calendar ? [alternativeOf(mail.calendar)] : [],
    messageId,
    date,
    attachments: mail.attachments.map(({ content, ...rest }) => ({
      ...rest,
      content: typeof content === 'string' ? content : Buffer.from(content),
    })),
    headers: {
      'X-Mail-Id': id,
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // The composer quotes a name that looks encoded and leaves such a subject as it is, so these two are written here.
  const head = [`From: ${headerAddress(oneLine(from.name), from.address)}`, `Subject: ${headerText(mail.subject)}`]
  const raw = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n`), await composer.compile().build()])
  return { from: from.address, to, messageId, raw }
}

const alternativeOf = ({ method, content }: MailCalendar) => ({
  contentType: `text/calendar; charset=utf-8; method=${method}`,
  content,
})

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
