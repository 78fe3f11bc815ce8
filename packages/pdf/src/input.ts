import { create as createQr } from 'qrcode'
import type { Block, Image, PdfDocument } from './document.ts'

/** What the compiler gets: the data as JSON, images as files beside it. Made in the rendering process: a QR code takes a millisecond. */
export interface RenderInput {
  data: string
  files: { path: string; bytes: Uint8Array }[]
  createdAtSeconds: number
}

export function renderInput(document: PdfDocument): RenderInput {
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
    title: document.title,
    language: document.language,
    brand_color: document.brand_color,
    clinic: { ...document.clinic, logo: place(document.clinic.logo) },
    verification: document.verification && { ...document.verification, qr: qrSvg(document.verification.url) },
    blocks: document.blocks.map((block) => drawable(block, place)),
  }
  return {
    data: JSON.stringify(data, withoutControls),
    files,
    createdAtSeconds: Math.floor(document.created_at.getTime() / 1000),
  }
}

/** Control characters have no glyph, and half of a surrogate pair is no text. */
function withoutControls(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll(/[^\P{Cc}\n]/gu, ' ') : value
}

function drawable(block: Block, place: (image: Image | null) => string | null) {
  if (block.type === 'image') {
    return { type: block.type, path: place(block.image), alt: block.alt, width_percent: block.width_percent }
  }
  if (block.type === 'signature') {
    return { type: block.type, name: block.name, caption: block.caption, path: place(block.image) }
  }
  return block.type === 'qr' ? { ...block, svg: qrSvg(block.text) } : block
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
