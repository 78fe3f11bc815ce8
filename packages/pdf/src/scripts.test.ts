import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { getDocumentProxy } from 'unpdf'
import { createFontChoice } from './font-runs.ts'
import { readFonts } from './fonts.ts'
import { type Block, createPdfRenderer, type PdfDocument, type PdfRenderer, PdfUnprintable } from './index.ts'
import { printedText } from './printable.ts'

const PAGE_MARGIN = 62
const PAGE_WIDTH = 595
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

interface Printed {
  text: string
  left: number
  right: number
}

describe('scripts and words on paper', () => {
  let renderer: PdfRenderer
  before(() => {
    renderer = createPdfRenderer({ processes: 1, timeoutMs: 30_000 })
  })
  after(() => renderer.close())

  const render = (blocks: Block[], values: Partial<PdfDocument> = {}) =>
    renderer.render({
      title: 'Letter',
      language: 'en',
      clinic: { name: 'Clinic', lines: [], logo: null },
      brand_color: '#0b7a61',
      verification: null,
      blocks,
      created_at: new Date(0),
      ...values,
    })

  /** What the pages show, with the place of each piece on its line. */
  async function printed(blocks: Block[], values?: Partial<PdfDocument>): Promise<Printed[]> {
    const { bytes } = await render(blocks, values)
    const pdf = await getDocumentProxy(new Uint8Array(bytes))
    const pages = Array.from({ length: pdf.numPages }, async (_, index) =>
      (await pdf.getPage(index + 1)).getTextContent(),
    )
    return (await Promise.all(pages)).flatMap(({ items }) =>
      items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [, , , , left] = item.transform as number[]
        return [{ text: item.str, left: left ?? 0, right: (left ?? 0) + item.width }]
      }),
    )
  }
  const textOf = (pieces: Printed[]) => pieces.map(({ text }) => text).join(' ')
  const place = (pieces: Printed[], pattern: RegExp) => {
    const found = pieces.find(({ text }) => pattern.test(text))
    assert.ok(found, `${pattern} in ${textOf(pieces)}`)
    return found
  }

  test('Latin, Greek, Cyrillic and Vietnamese letters are printed, composed or not', async () => {
    const names = [
      'Zażółć gęślą jaźń Łódź',
      'Příliš žluťoučký kůň',
      'Árvíztűrő tükörfúrógép',
      'Iğdır Şişli Çağla',
      'Ελένη Παπαδοπούλου Ἀθῆναι',
      'Съешь ещё этих Ґедзь Ђорђе',
      'Nguyễn Thị Ánh Đặng Hữu Phước',
      'Þórður Æsir Øystein Åse',
    ]
    const text = textOf(await printed(names.map((name) => ({ type: 'text', text: name }))))
    for (const name of names) assert.ok(text.includes(name), `${name} in ${text}`)
    const decomposed = textOf(await printed([{ type: 'text', text: 'Nguyễn Ștefan'.normalize('NFD') }]))
    assert.ok(decomposed.normalize('NFC').includes('Nguyễn Ștefan'), decomposed)
  })

  test('Arabic and Hebrew are printed from right to left, with joined letters', async () => {
    const line = await printed([{ type: 'text', text: 'שלום محمد' }])
    assert.ok(place(line, /\p{Script=Hebrew}/u).left > place(line, /\p{Script=Arabic}/u).left)
    const width = async (text: string) => {
      const pieces = (await printed([{ type: 'text', text }])).filter((piece) => /\p{Script=Arabic}/u.test(piece.text))
      return Math.max(...pieces.map(({ right }) => right)) - Math.min(...pieces.map(({ left }) => left))
    }
    const [joined, apart] = [await width('محمد'), await width('م\u200cح\u200cم\u200cد')]
    assert.ok(Math.abs(joined - apart) > 1, `${joined} and ${apart}`)
    const { bytes } = await render([{ type: 'text', text: 'محمد שלום' }])
    const file = bytes.toString('latin1')
    assert.match(file, /NotoSansArabic/)
    assert.match(file, /NotoSansHebrew/)
    assert.match(file, /<pdfaid:part>2<\/pdfaid:part>/)
  })

  test('a name in Arabic does not move the date after it', async () => {
    const [name, date] = ['\u2068محمد\u2069', '17 May 1980']
    const line = await printed([{ type: 'text', text: `Dear ${name}, ${date}` }])
    assert.ok(place(line, /\p{Script=Arabic}/u).right <= place(line, /17/).right)
    assert.match(textOf(line), /17 May 1980/)
    const first = await printed([{ type: 'text', text: `${name}, born on ${date}` }])
    assert.ok(place(first, /\p{Script=Arabic}/u).left < place(first, /born/).left)
    assert.ok(place(first, /\p{Script=Arabic}/u).left < PAGE_MARGIN + 5, 'the line starts at the left')
  })

  test('a character that no font has is refused with its place', async () => {
    const refused = async (character: string, place: string, blocks: Block[], values?: Partial<PdfDocument>) => {
      const error = await render(blocks, values).then(
        () => assert.fail(`${character} was printed`),
        (failure: unknown) => failure,
      )
      assert.ok(error instanceof PdfUnprintable, String(error))
      assert.deepEqual([error.character, error.place], [character, place])
    }
    await refused('李', 'blocks.0.text', [{ type: 'text', text: 'Dear 李明' }])
    await refused('👩‍⚕️'.replace('\ufe0f', ''), 'blocks.0.rows.1.value', [
      {
        type: 'answers',
        rows: [
          { label: 'a', value: 'b' },
          { label: 'a', value: 'fine 👩‍⚕️' },
        ],
      },
    ])
    await refused('ส', 'blocks.0.rows.0', [{ type: 'table', columns: ['a'], rows: [['สมชาย']] }])
    await refused('ქ', 'blocks.0.name', [{ type: 'signature', name: 'ქეთი', caption: '', image: null }])
    await refused('अ', 'title', [], { title: 'अनिल' })
    await refused('한', 'clinic.lines', [], { clinic: { name: 'Clinic', lines: ['한국'], logo: null } })
    // The font that prints the letter does not have the mark, though another font may have both.
    await refused('B\u05b0', 'blocks.0.text', [{ type: 'text', text: 'B\u05b0  ' }])
    for (const alone of ['\u0301', ' \u0484', '(\u2dff', '\ue001', '\u0602('])
      await refused(alone, 'blocks.0.text', [{ type: 'text', text: `${alone}  ` }])
    await refused('B\u08fd', 'blocks.0.text', [{ type: 'text', text: 'B\u08fd  ' }])
    await refused('ب\u05b8', 'blocks.0.text', [{ type: 'text', text: 'ب\u05b8' }])
  })

  test('every mix of characters that the fonts have is printed or refused, never a failure of the renderer', async () => {
    const fonts = readFonts()
    const { findUnprintable } = createFontChoice(fonts)
    const common = [' ', '  ', '1', 'a', '(', '\u2068', '\u2069', '\u200d', '\u200f', '\u0000']
    const parts = fonts.map(({ characters }) => {
      const unit = fc.constantFrom(...Array.from(characters.keys(), (code) => String.fromCodePoint(code)), ...common)
      return fc.string({ unit, minLength: 1, maxLength: 4 })
    })
    const mix = fc.array(fc.oneof(fc.constantFrom(...common), ...parts), { minLength: 1, maxLength: 8 })
    const printable = mix
      .map((some) => some.join(''))
      .filter((text) => findUnprintable(printedText(text)) === undefined)
    await fc.assert(
      fc.asyncProperty(fc.array(printable, { minLength: 20, maxLength: 40 }), async (texts) => {
        await render(texts.map((text) => ({ type: 'text', text })))
      }),
      { numRuns: 100 },
    )
  })

  test('the fonts of a text are found in time that grows with its length', () => {
    const { findUnprintable, runsOf } = createFontChoice(readFonts())
    const hostile = [
      `a${'\u0301'.repeat(40_000)}`,
      'a\u0301'.repeat(20_000),
      '\u0628'.repeat(40_000),
      ' \u066a'.repeat(20_000),
    ]
    const start = process.cpuUsage()
    for (const text of hostile) {
      findUnprintable(text)
      runsOf(text)
    }
    const { user, system } = process.cpuUsage(start)
    assert.ok(user + system < 4_000_000, `${(user + system) / 1000} ms`)
  })

  test('texts that crashed the compiler are printed', async () => {
    const texts = ['a\ufd40  ', '\u05e5\u05d9\u1ffe\u20b3\u207c\u05e5 x', 'a \u060f  \u017c', '\u0628  \u066a  ab']
    await render(texts.map((text) => ({ type: 'text', text })))
  })

  test('invisible characters and odd spaces print nothing and are not refused', async () => {
    const text = 'soft\u00adhyphen\u2060 \u3000wide\u2003space\ufeff end\u2028next\u0007line'
    assert.match(textOf(await printed([{ type: 'text', text }])), /softhyphen +wide space end.*next line/)
  })

  test('a long word breaks inside its cell and page, and no letter is lost', async () => {
    const seen = (pieces: Printed[]) => pieces.map(({ text }) => text.replaceAll(/[\s\u200b]/g, '')).join('')
    const inside = (pieces: Printed[], right = PAGE_WIDTH - PAGE_MARGIN + 1) => {
      for (const piece of pieces)
        assert.ok(piece.right <= right, `${piece.text} ends at ${piece.right}, not before ${right}`)
    }
    const everywhere = await printed(
      [
        { type: 'heading', level: 1, text: LONG + LONG },
        { type: 'text', text: `Word ${LONG}${LONG} word` },
        { type: 'answers', rows: [{ label: 'W'.repeat(80), value: LONG }] },
        { type: 'signature', name: LONG, caption: LONG, image: null },
        { type: 'qr', text: `https://tendon.example/${'x'.repeat(150)}` },
        { type: 'page_break' },
        { type: 'text', text: 'Page 2' },
      ],
      { title: LONG, clinic: { name: LONG, lines: [LONG + LONG], logo: null } },
    )
    inside(everywhere)
    assert.equal(seen(everywhere).split(LONG).length - 1, 13)
    assert.ok(seen(everywhere).includes('W'.repeat(80)))
    const columns = Array.from({ length: 8 }, (_, index) => `${index}`)
    const column = (PAGE_WIDTH - 2 * PAGE_MARGIN) / 8
    const narrow = await printed([{ type: 'table', columns, rows: [[LONG, ...columns.slice(1).map(() => '')]] }])
    inside(
      narrow.filter(({ text }) => text.length > 1 && LONG.includes(text)),
      PAGE_MARGIN + column,
    )
    assert.ok(seen(narrow).includes(LONG))
  })
})
