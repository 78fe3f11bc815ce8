import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { composeMail, mailTemplate, renderMail } from './index.ts'
import { envelope, greeting, options } from './mail.testing.ts'

const AT = '2026-03-01T10:00:00Z'

describe('rendering mails', () => {
  test('text and HTML come from the same blocks, with times in the zone and language of the clinic', () => {
    const { subject, text, html } = renderMail(greeting, { name: 'Ana', at: AT }, options)
    assert.equal(subject, 'Hello Ana')
    assert.match(text, /Welcome, Ana\.\n\nWhen: Sunday,? 1 March 2026 at 12:00\n\nSign in:\nhttps:\/\/app\.example/)
    assert.match(html, /<a class="button" href="https:\/\/app\.example\/portal\/\?a=1&amp;b=2">Sign in<\/a>/)
    const ro = renderMail(greeting, { name: 'Ana', at: AT }, { ...options, language: 'ro' })
    assert.match(ro.text, /Când: duminică, 1 martie 2026/)
    assert.match(ro.html, /<html lang="ro">/)
    assert.match(ro.text, /Trimis de Mlădița/)
  })

  test('every value is escaped, and a line break in a subject becomes a space', () => {
    const name = '<img src=x onerror=alert(1)>"\'&\r\nBcc: all@mail.example'
    const { subject, html } = renderMail(greeting, { name, at: AT }, options)
    assert.ok(!html.includes('<img'))
    assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;'))
    assert.ok(!/[\r\n]/.test(subject))
  })

  test('a link that is not http or https is refused', () => {
    const content = () => ({ subject: 'x', body: [{ label: 'x', url: 'javascript:alert(1)' }] })
    const bad = mailTemplate({ name: 'bad', kind: 'account', en: content, ro: content })
    assert.throws(() => renderMail(bad, {}, options), /http or https/)
  })

  test('the MIME message reads back whole: names, both bodies, attachment, Message-ID', async () => {
    const mail = renderMail(greeting, { name: 'Ștefan', at: AT }, options)
    const { raw, messageId } = await composeMail(envelope, mail)
    const read = await simpleParser(raw)
    assert.equal(read.subject, 'Hello Ștefan')
    assert.deepEqual(read.from?.value, [{ name: 'Mlădița', address: 'clinic@mladita.example' }])
    assert.equal(read.replyTo?.text, 'front@mladita.example')
    assert.equal(read.messageId, `<${envelope.id}@mladita.example>`)
    assert.equal(messageId, read.messageId)
    assert.equal(read.headers.get('x-mail-id'), envelope.id)
    assert.match(read.text ?? '', /Welcome, Ștefan/)
    assert.match(String(read.html), /Welcome, Ștefan/)
    // The first is the third alternative, beside text and HTML.
    assert.deepEqual(
      read.attachments.map((one) => [
        Reflect.get(one, 'partId'),
        one.filename,
        one.contentType,
        one.content.toString(),
      ]),
      [
        ['1.3', undefined, 'text/calendar', 'BEGIN:VCALENDAR\r\nX:Ș\r\n'],
        ['2', 'visit.ics', 'text/calendar', 'BEGIN:VCALENDAR'],
      ],
    )
    assert.match(
      raw.toString(),
      /multipart\/alternative[^]+Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r\n/,
    )
    assert.equal(read.headers.get('list-unsubscribe'), undefined)
  })

  test('no name or address can add a header', async () => {
    const hostile = 'Clinic\r\nBcc: all@mail.example\r\n'
    const { raw } = await composeMail(
      { ...envelope, from: { name: hostile, address: 'clinic@mladita.example' } },
      renderMail(greeting, { name: hostile, at: AT }, options),
    )
    const read = await simpleParser(raw)
    assert.equal(read.bcc, undefined)
    assert.deepEqual(
      read.headerLines.filter(({ key }) => key === 'bcc'),
      [],
    )
  })

  test('a name that looks like an encoded word is shown as it was written', async () => {
    for (const name of [
      '=?utf-8?Q?Your_Bank?=',
      '=?UTF-8?B?WW91ciBCYW5r?=',
      'Clinic =?utf-8?q?=3Cboss=40bank=2Eexample=3E?=',
      'Mlădița =?utf-8?Q?Your_Bank?=',
      '=?utf-8?Q?a',
    ]) {
      const { raw } = await composeMail(
        { ...envelope, from: { name, address: 'clinic@mladita.example' } },
        renderMail(greeting, { name, at: AT }, options),
      )
      const read = await simpleParser(raw)
      assert.deepEqual(read.from?.value, [{ name, address: 'clinic@mladita.example' }])
      assert.equal(read.subject, `Hello ${name}`)
      // Some mail programs decode inside quotes too.
      const words = raw.toString().matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)
      for (const [, kind, text = ''] of words) {
        const decoded = kind?.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : text
        assert.ok(!/^(<?boss|Your.Bank)/.test(decoded), decoded)
      }
    }
  })

  test('any name and subject read back as they were, in lines that RFC 2047 allows', async () => {
    const pieces = fc.constantFrom(
      '=?utf-8?Q?',
      '=?UTF-8?B?',
      '?=',
      '=?',
      '=41',
      'WA==',
      'a',
      ' b',
      'ă',
      '😀',
      '"',
      ',',
      '<',
      '@',
      '.',
    )
    const texts = fc.array(pieces, { minLength: 1, maxLength: 60 }).map((all) => `x${all.join('')}x`)
    await fc.assert(
      fc.asyncProperty(texts, async (name) => {
        const { raw } = await composeMail(
          { ...envelope, from: { name, address: 'clinic@mladita.example' } },
          { subject: name, text: 'x', html: 'x', attachments: [] },
        )
        const read = await simpleParser(raw)
        assert.equal(read.from?.value[0]?.name, name)
        assert.equal(read.subject, name)
        const [head = ''] = raw.toString().split('\r\n\r\n', 1)
        for (const line of head.split('\r\n')) assert.ok(line.length <= 78 || !line.includes('=?'), line)
      }),
      { numRuns: 200 },
    )
  })

  test('an address that looks like an encoded word is not written to, and not named for replies', async () => {
    const hostile = '=?utf-8?q?boss=40bank.example=2C?=@mail.example'
    const mail = renderMail(greeting, { name: 'Ana', at: AT }, options)
    await assert.rejects(composeMail({ ...envelope, to: hostile }, mail), {
      failure: 'recipient_refused',
      permanent: true,
    })
    await assert.rejects(composeMail({ ...envelope, from: { name: 'Clinic', address: hostile } }, mail), {
      failure: 'rejected',
      permanent: true,
    })
    const { raw } = await composeMail({ ...envelope, replyTo: hostile }, mail)
    assert.equal((await simpleParser(raw)).replyTo, undefined)
  })

  test('marketing carries one-click unsubscribing (RFC 8058) in its headers and its footer', async () => {
    const unsubscribeUrl = 'https://app.example/v1/public/unsubscribe/token'
    const mail = renderMail(greeting, { name: 'Ana', at: AT }, { ...options, unsubscribeUrl })
    const text = (await composeMail({ ...envelope, unsubscribeUrl }, mail)).raw.toString()
    assert.match(text, /^List-Unsubscribe: <https:\/\/app\.example\/v1\/public\/unsubscribe\/token>\r$/m)
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    assert.ok(mail.text.endsWith(`Stop receiving such messages:\n${unsubscribeUrl}`))
  })

  test('a clinic’s colour and logo are shown; an invalid colour is ignored', () => {
    const data = { name: 'Ana', at: '2026-03-01T10:00:00Z' }
    const branding = { color: '#0b5a61', logoUrl: 'https://app.example/v1/public/images/1' }
    const { html } = renderMail(greeting, data, { ...options, branding })
    assert.match(html, /background:#0b5a61/)
    assert.match(html, /<img src="https:\/\/app\.example\/v1\/public\/images\/1" alt="Mlădița"/)
    const hostile = renderMail(greeting, data, { ...options, branding: { color: 'red}</style>', logoUrl: null } })
    assert.ok(!hostile.html.includes('red}') && !hostile.html.includes('<img'))
  })
})
