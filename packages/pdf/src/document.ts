/** An image inside a document: PNG, JPEG or SVG bytes. */
export interface Image {
  bytes: Uint8Array
  format: 'png' | 'jpg' | 'svg'
}

/** The headings of exercises: name, how much, how. */
export interface ExerciseColumns {
  name: string
  dose: string
  instructions: string
}

export interface ExerciseRow<Picture = Image> extends ExerciseColumns {
  picture: Picture | null
}

/** What a document shows, in order. Texts are printed as they are: nothing in them is read as markup. */
export type Block<Picture = Image> =
  | { type: 'heading'; level: 1 | 2 | 3; text: string }
  | { type: 'text'; text: string }
  | { type: 'answers'; rows: readonly { label: string; value: string }[] }
  | { type: 'table'; columns: readonly string[]; rows: readonly (readonly string[])[] }
  | { type: 'exercises'; columns: ExerciseColumns; rows: readonly ExerciseRow<Picture>[] }
  | { type: 'image'; image: Picture; alt: string; width_percent: number }
  | { type: 'signature'; name: string; caption: string; image: Picture | null }
  | { type: 'qr'; text: string }
  | { type: 'page_break' }

export interface PdfDocument<Picture = Image> {
  title: string
  language: string
  clinic: { name: string; lines: readonly string[]; logo: Picture | null }
  /** `#rrggbb` */
  brand_color: string
  /** Printed at the foot of every page, with a QR code of the URL. */
  verification: { label: string; url: string; code: string } | null
  blocks: readonly Block<Picture>[]
  /** The date inside the file. The same document with the same time gives the same bytes. */
  created_at: Date
}

export interface RenderedPdf {
  bytes: Buffer
  pages: number
}
