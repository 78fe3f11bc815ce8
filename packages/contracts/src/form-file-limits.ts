// Which files a field of a form takes. Pure: the server and the browser check the same limits.

/** "max_file_size: default 10 MB" */
export const DEFAULT_MAX_FORM_FILE_BYTES = 10 * 1024 * 1024

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** What a field takes that names no types: documents and pictures. */
const USUAL_TYPES = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/tiff',
  'text/plain',
  'text/csv',
  'application/vnd.oasis.opendocument.text',
  `${OFFICE}.wordprocessingml.document`,
  `${OFFICE}.spreadsheetml.sheet`,
]

interface FileField {
  max_file_size?: number | null
  allowed_file_types?: readonly string[] | null
}

/** "size must not exceed the field's max_file_size (default 10 MB); MIME must be in allowed_file_types" */
export const fileLimitsOf = ({ max_file_size, allowed_file_types }: FileField) => ({
  maxBytes: max_file_size ?? DEFAULT_MAX_FORM_FILE_BYTES,
  types: allowed_file_types ?? USUAL_TYPES,
})

const SAME: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'application/x-pdf': 'application/pdf',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
}

/** One spelling of a media type, without parameters. */
export function plainMediaType(type: string): string {
  const plain = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  return SAME[plain] ?? plain
}

export type FileProblem = 'empty' | 'too_large' | 'wrong_type'

/** What the server would refuse about a file before it looks into it. It trusts neither name nor type, and checks the content. */
export function fileProblem(field: FileField, { size, type }: { size: number; type: string }): FileProblem | undefined {
  const { maxBytes, types } = fileLimitsOf(field)
  if (size === 0) return 'empty'
  if (size > maxBytes) return 'too_large'
  return types.map(plainMediaType).includes(plainMediaType(type)) ? undefined : 'wrong_type'
}
