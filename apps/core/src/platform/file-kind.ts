import { plainMediaType } from '@tendon/contracts'
import { fileTypeFromBuffer } from 'file-type'

// Detects the kind of a file by its bytes. Its name and declared type are not trusted.

export interface FileKind {
  mime: string
  extension: string
}

/** Enough to tell every type that the library knows. */
export const HEAD_BYTES = 32 * 1024

const TEXT_EXTENSIONS: Readonly<Record<string, string>> = { 'text/plain': 'txt', 'text/csv': 'csv' }

// Formats that are written in text; a note may well begin with "BM" or "MZ", as pictures and programs do.
const OTHER_TEXT_FORMAT = /^\ufeff?\s*(<[a-z!?/]|%PDF|%!PS|\{\\rtf|#!)/i
const MARKUP = /<(!doctype|html|head|body|script|iframe|svg|\?php)/i
const MARKUP_WITHIN_BYTES = 1024
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f]/
const ZIP_START = 'PK\x03\x04'
const ZIP_END = 'PK\x05\x06'
/** Maximum distance of the end record of a ZIP from the end of the file. */
const ZIP_END_WITHIN_BYTES = 22 + 0xffff

/** The kind on which the first bytes and the sender agree; undefined where they do not. */
export async function kindOf(head: Buffer, declared: string): Promise<FileKind | undefined> {
  const claimed = plainMediaType(declared)
  const extension = TEXT_EXTENSIONS[claimed]
  if (extension !== undefined) {
    return OTHER_TEXT_FORMAT.test(head.toString('utf8')) ? undefined : { mime: claimed, extension }
  }
  const found = await fileTypeFromBuffer(head)
  if (!found || plainMediaType(found.mime) !== claimed) return undefined
  if (MARKUP.test(head.toString('latin1', 0, MARKUP_WITHIN_BYTES))) return undefined
  return { mime: claimed, extension: found.ext.toLowerCase() }
}

/** Inspects every byte; `take` and `end` return whether the file still has only its kind. */
interface Inspection {
  take(chunk: Buffer): boolean
  end(): boolean
}

export function inspectionOf({ mime }: FileKind, head: Buffer): Inspection {
  if (mime in TEXT_EXTENSIONS) return inspectText()
  return head.toString('latin1', 0, ZIP_START.length) === ZIP_START ? NO_INSPECTION : inspectBinary()
}

const NO_INSPECTION: Inspection = { take: () => true, end: () => true }

/** UTF-8 to the last byte, without control characters. */
function inspectText(): Inspection {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const isText = (chunk?: Buffer) => {
    try {
      return !CONTROL.test(decoder.decode(chunk, { stream: chunk !== undefined }))
    } catch {
      return false
    }
  }
  return { take: isText, end: () => isText() }
}

/** An image followed by an archive is both, because programs read a ZIP from its end. */
function inspectBinary(): Inspection {
  let tail: Buffer = Buffer.alloc(0)
  return {
    take(chunk) {
      tail =
        chunk.length >= ZIP_END_WITHIN_BYTES
          ? chunk.subarray(-ZIP_END_WITHIN_BYTES)
          : Buffer.concat([tail, chunk]).subarray(-ZIP_END_WITHIN_BYTES)
      return true
    },
    end: () => !tail.includes(ZIP_END, 0, 'latin1'),
  }
}
