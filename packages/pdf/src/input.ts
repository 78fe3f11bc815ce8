import { create as createQr } from 'qrcode'
import type { Block, ExerciseColumns, Image, PdfDocument } from './document.ts'
import { createFontChoice } from './font-runs.ts'
import type { Fonts } from './fonts.ts'
import { printedText } from './printable.ts'
import { createWrapping, type Drawable, directed } from './wrapping.ts'

/** What the compiler gets: the data as JSON, images as files beside it. Made in the rendering process: a QR code takes a millisecond. */
export interface RenderInput {
  data: string
  files: { path: string; bytes: Uint8Array }[]
  createdAtSeconds: number
}

/** Widths in document.typ, in em of the text there. */
const ROOM = {
  title: 26,
  clinic: 22,
  line: 34,
  header: 28,
  footer: 50,
  text: 47,
  label: 17.5,
  value: 27,
  signature: 25,
  exercise: { short: 8.7, long: 25.5 },
  pictured: { short: 6.7, long: 20.2 },
}
const HEADING_ROOM = { 1: 31, 2: 39, 3: 44 }
const cellRoom = (columns: number) => ROOM.text / columns - 1.3

type Exercises = Extract<Block, { type: 'exercises' }>
type Draw = (text: string, room: number) => Drawable

export function createRenderInput(fonts: Fonts): (document: PdfDocument) => RenderInput {
  const wrapped = createWrapping(fonts)
  const choice = createFontChoice(fonts)
  const draw: Draw = (text, room) => directed(wrapped(printedText(text), room), choice)
  return (document) => renderInput(document, draw)
}

function renderInput(document: PdfDocument, draw: Draw): RenderInput {
  const { title, clinic, verification } = document
  const files: RenderInput['files'] = []
  const paths = new Map<Image, string>()
  /** An image that occurs several times is sent once. */
  const place = (image: Image | null) => {
    if (!image) return null
    const known = paths.get(image)
    if (known !== undefined) return known
    const path = `/image-${files.length}.${image.format}`
    paths.set(image, path)
    files.push({ path, bytes: image.bytes })
    return path
  }
  const data = {
    title: printedText(title),
    drawn_title: draw(title, ROOM.title),
    header_title: draw(title, ROOM.header),
    language: document.language,
    brand_color: document.brand_color,
    clinic: {
      name: printedText(clinic.name),
      drawn_name: draw(clinic.name, ROOM.clinic),
      header_name: draw(clinic.name, ROOM.header),
      lines: clinic.lines.map((line) => draw(line, ROOM.line)),
      logo: place(clinic.logo),
    },
    verification: verification && {
      ...verification,
      lines: [verification.label, verification.url, verification.code].map((line) => draw(line, ROOM.footer)),
      qr: qrSvg(verification.url),
    },
    blocks: document.blocks.map((block) => drawable(block, draw, place)),
  }
  return { data: JSON.stringify(data), files, createdAtSeconds: Math.floor(document.created_at.getTime() / 1000) }
}

function drawable(block: Block, draw: Draw, place: (image: Image | null) => string | null) {
  if (block.type === 'heading') return { ...block, text: draw(block.text, HEADING_ROOM[block.level]) }
  if (block.type === 'text') {
    const lines = printedText(block.text).split('\n')
    return { type: block.type, lines: lines.map((line) => draw(line, ROOM.text)) }
  }
  if (block.type === 'answers') {
    const rows = block.rows.map(({ label, value }) => [draw(label, ROOM.label), draw(value, ROOM.value)])
    return { type: block.type, rows }
  }
  if (block.type === 'table') {
    const cell = (text: string) => draw(text, cellRoom(block.columns.length))
    return { type: block.type, columns: block.columns.map(cell), rows: block.rows.map((row) => row.map(cell)) }
  }
  if (block.type === 'exercises') return exercisesOf(block, draw, place)
  if (block.type === 'image') {
    const { type, image, alt, width_percent } = block
    return { type, path: place(image), alt: printedText(alt), width_percent }
  }
  if (block.type === 'signature') {
    const { type, name, caption, image } = block
    const [drawnName, drawnCaption] = [name, caption].map((text) => draw(text, ROOM.signature))
    return { type, name: drawnName, caption: drawnCaption, alt: printedText(name), path: place(image) }
  }
  if (block.type === 'qr') {
    const { type, text } = block
    return { type, alt: printedText(text), text: draw(text, ROOM.text), svg: qrSvg(text) }
  }
  return block
}

function exercisesOf({ type, columns, rows }: Exercises, draw: Draw, place: (image: Image | null) => string | null) {
  const isPictured = rows.some(({ picture }) => picture !== null)
  const room = isPictured ? ROOM.pictured : ROOM.exercise
  const cells = ({ name, dose, instructions }: ExerciseColumns) => ({
    name: draw(name, room.short),
    dose: draw(dose, room.short),
    instructions: draw(instructions, room.long),
  })
  return {
    type,
    columns: Object.values(cells(columns)),
    rows: rows.map((row) => ({ ...cells(row), alt: printedText(row.name), path: place(row.picture) })),
  }
}

/** One path of squares: smaller than an image, sharp at any size. */
function qrSvg(text: string): string {
  const { modules } = createQr(text, { errorCorrectionLevel: 'M' })
  const { size } = modules
  let path = ''
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) if (modules.get(y, x)) path += `M${x + 2} ${y + 2}h1v1h-1z`
  }
  const side = size + 4
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path fill="#000" d="${path}"/></svg>`
}
