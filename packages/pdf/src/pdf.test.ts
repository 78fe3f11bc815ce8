import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import fc from 'fast-check'
import { extractText, getDocumentProxy } from 'unpdf'
import { readFonts } from './fonts.ts'
import {
  createPdfRenderer,
  MAX_WAITING,
  type PdfDocument,
  PdfFailure,
  PdfOverload,
  type PdfRenderer,
  PdfTimeout,
  PdfUnprintable,
} from './index.ts'
import { createRenderInput } from './input.ts'
import { printedText } from './printable.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const document = (values: Partial<PdfDocument> = {}): PdfDocument => ({
  title: 'Fișă de evaluare',
  language: 'ro',
  clinic: { name: 'Mlădița', lines: ['Strada Lipscani 12'], logo: null },
  brand_color: '#0b7a61',
  verification: { label: 'Verify', url: 'https://tendon.example/v1/public/documents/verify/abc', code: 'abc' },
  blocks: [{ type: 'text', text: 'Înălțime și greutate: țesut' }],
  created_at: new Date('2026-11-16T10:00:00Z'),
  ...values,
})
const textOf = async (bytes: Buffer) =>
  (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text

describe('pdf', () => {
  let renderer: PdfRenderer
  before(() => {
    renderer = createPdfRenderer({ processes: 1, timeoutMs: 30_000 })
  })
  after(() => renderer.close())
  const render = (values?: Partial<PdfDocument>) => renderer.render(document(values))

  test('every kind of block is drawn, with Romanian letters, and the pages are counted', async () => {
    const { bytes, pages } = await render({
      clinic: { name: 'Mlădița', lines: [], logo: { bytes: PIXEL, format: 'png' } },
      blocks: [
        { type: 'heading', level: 2, text: 'Răspunsuri' },
        { type: 'answers', rows: [{ label: 'Durere', value: 'ușoară' }] },
        { type: 'table', columns: ['Exercițiu', 'Serii'], rows: [['Genuflexiune', '3']] },
        {
          type: 'exercises',
          columns: { name: 'Mișcare', dose: 'Doză', instructions: 'Indicații' },
          rows: [
            { name: 'Punte', dose: '3 serii', instructions: 'Ridicați\nbazinul', picture: null },
            { name: 'Fandare', dose: '2 serii', instructions: 'Încet', picture: { bytes: PIXEL, format: 'png' } },
          ],
        },
        { type: 'image', image: { bytes: PIXEL, format: 'png' }, alt: 'pixel', width_percent: 20 },
        { type: 'page_break' },
        { type: 'signature', name: 'Ana Ionescu', caption: '16.11.2026', image: { bytes: PIXEL, format: 'png' } },
        { type: 'qr', text: 'https://tendon.example' },
      ],
    })
    assert.equal(pages, 2)
    const text = await textOf(bytes)
    for (const part of [
      'Fișă de evaluare',
      'Răspunsuri',
      'ușoară',
      'Exercițiu',
      'Doză',
      'Punte',
      'Încet',
      'Ana Ionescu',
      '2 / 2',
    ]) {
      assert.ok(text.includes(part), part)
    }
  })

  test('the same document gives the same bytes, also in another process', async () => {
    const other = createPdfRenderer({ processes: 1, timeoutMs: 30_000 })
    try {
      const [first, again, elsewhere] = [await render(), await render(), await other.render(document())]
      assert.deepEqual(first.bytes, again.bytes)
      assert.deepEqual(first.bytes, elsewhere.bytes)
    } finally {
      await other.close()
    }
  })

  test('the file declares PDF/A-2b, embeds its fonts and names an output intent', async () => {
    const text = (await render()).bytes.toString('latin1')
    assert.match(text, /^%PDF-1\.7/)
    assert.match(text, /<pdfaid:part>2<\/pdfaid:part>/)
    assert.match(text, /<pdfaid:conformance>B<\/pdfaid:conformance>/)
    assert.match(text, /\/OutputIntents/)
    assert.match(text, /\/FontFile/)
    assert.doesNotMatch(text, /\/JavaScript|\/Encrypt|\/Launch/)
  })

  test('text that looks like markup prints as itself', async () => {
    const hostile = [
      '#set page(width: 1cm)',
      '$x^2$ *bold* _it_',
      '#read("/etc/passwd")',
      '= heading',
      '\\ @ref <label> `raw`',
    ]
    const { bytes, pages } = await render({
      title: '#pagebreak()',
      blocks: hostile.map((text) => ({ type: 'text', text })),
    })
    assert.equal(pages, 1)
    const text = await textOf(bytes)
    for (const part of ['#pagebreak()', ...hostile]) assert.ok(text.includes(part), part)
  })

  test('any text is printed, or refused with its character', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.constantFrom('\ud800', '\u0001\u007f\u0085', '\t', '👩‍⚕️'),
        ),
        async (text) => {
          const blocks = [
            { type: 'text', text } as const,
            { type: 'answers', rows: [{ label: text, value: text }] } as const,
          ]
          const rendered = await render({ title: text || '-', blocks }).catch((error: unknown) => {
            if (error instanceof PdfUnprintable) return error
            throw error
          })
          if (rendered instanceof PdfUnprintable) assert.ok(printedText(text).includes(rendered.character))
          else assert.ok(rendered.pages >= 1)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a document that takes too long ends, and the next one is rendered', async (t) => {
    const timeoutMs = 60_000
    const impatient = createPdfRenderer({ processes: 1, timeoutMs })
    try {
      await impatient.render(document())
      const rows = Array.from({ length: 150_000 }, (_, index) => [`${index}`, 'word '.repeat(40)])
      const blocks = [{ type: 'table', columns: ['a', 'b'], rows } as const]
      // Its time passes at once: how long the others take depends on the machine.
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const ended = assert.rejects(impatient.render(document({ blocks })), PdfTimeout)
      await new Promise((resolve) => setImmediate(resolve)) // it was sent to its process
      t.mock.timers.tick(timeoutMs)
      t.mock.timers.reset()
      await ended
      assert.equal((await impatient.render(document())).pages, 1)
    } finally {
      await impatient.close()
    }
  })

  test('more documents than may wait are refused at once; those that wait are rendered, or refused when it closes', async () => {
    const busy = createPdfRenderer({ processes: 1, timeoutMs: 60_000 })
    const waiting = Array.from({ length: MAX_WAITING }, () => busy.render(document()))
    await assert.rejects(busy.render(document()), PdfOverload)
    assert.ok((await Promise.race(waiting)).pages > 0)
    const [room] = await Promise.allSettled([Promise.race([busy.render(document()), Promise.resolve('accepted')])])
    assert.deepEqual(room, { status: 'fulfilled', value: 'accepted' })
    const ended = Promise.allSettled(waiting)
    await busy.close()
    const refused = (await ended).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.ok(refused.length > 0 && refused.every((error) => error instanceof PdfFailure))
  })

  test('closing removes the working folder', async (t) => {
    const { TMPDIR } = process.env
    const own = mkdtempSync(join(tmpdir(), 'tendon-test-pdf-')) // other processes make folders in the usual one
    t.after(() => rmSync(own, { recursive: true }))
    process.env.TMPDIR = own
    const short = createPdfRenderer({ processes: 1, timeoutMs: 30_000 })
    const rendered = short.render(document())
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    await rendered
    assert.equal(readdirSync(own).length, 1)
    await short.close()
    assert.deepEqual(readdirSync(own), [])
    await assert.rejects(short.render(document()))
  })

  test('pdf sends an image that occurs several times once', () => {
    const image = { bytes: PIXEL, format: 'png' } as const
    const blocks = Array.from({ length: 50 }, () => ({ type: 'image', image, alt: '', width_percent: 20 }) as const)
    assert.equal(createRenderInput(readFonts())(document({ blocks })).files.length, 1)
  })

  test('one owner neither takes all processes nor more than its share of the queue, and what waits is not loaded', async () => {
    const shared = createPdfRenderer({ processes: 2, timeoutMs: 30_000 })
    let loads = 0
    const release = Promise.withResolvers<void>()
    const slow = async () => {
      loads++
      await release.promise
      return document()
    }
    try {
      await shared.render(document(), 'other')
      const first = shared.render(slow, 'busy')
      await until(() => loads === 1)
      const all = [first, ...Array.from({ length: 10 }, () => shared.render(slow, 'busy'))]
      await assert.rejects(shared.render(slow, 'busy'), PdfOverload)
      assert.equal((await shared.render(document(), 'other')).pages, 1)
      assert.equal(loads, 1)
      release.resolve()
      assert.deepEqual(new Set((await Promise.all(all)).map(({ pages }) => pages)), new Set([1]))
      const broken = shared.render(async () => Promise.reject(new RangeError('no image')), 'busy')
      await assert.rejects(broken, RangeError)
      assert.equal((await shared.render(document(), 'busy')).pages, 1)
    } finally {
      await shared.close()
    }
  })
})
