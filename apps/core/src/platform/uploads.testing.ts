import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import type { Json } from '../testing/core.ts'

// Files and request bodies: valid, broken and false.

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A ZIP of one entry, as far as a reader of its first bytes goes, and its end. */
export function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 'latin1')
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(8, 8)
  header.set(u32(packed.length), 18)
  header.set(u32(content.length), 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), packed, Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
}

const DOCX_TYPES =
  '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'

export const FILES = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  jpeg: Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), Buffer.alloc(64, 7)]),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n'),
  docx: zipOf('[Content_Types].xml', Buffer.from(DOCX_TYPES)),
  gzip: Buffer.from('1f8b0800000000000003cb48cdc9c9070086a6103605000000', 'hex'),
  exe: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]),
  text: Buffer.from('Durere la genunchi, de trei săptămâni.\r\n'),
}
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const BOUNDARY = 'tendon-boundary'

export interface Part {
  /** Null: a field, not a file. */
  name: string | Buffer | null
  type?: string
  content: Buffer | string
}

export const closing = (): Buffer => Buffer.from(`\r\n--${BOUNDARY}--\r\n`)

export function opening({ name, type }: Omit<Part, 'content'>): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"`),
    ...(name === null ? [] : [Buffer.from('; filename="'), Buffer.from(name), Buffer.from('"')]),
    Buffer.from(`${type === undefined ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n`),
  ])
}

export const bodyOf = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [opening(part), Buffer.from(part.content), Buffer.from('\r\n')]),
    closing().subarray(2),
  ])

export const partOf = (content: Buffer | string, type: string, name: string | Buffer = 'file.bin'): Part => ({
  content,
  type,
  name,
})

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

export interface Sent {
  status: number
  body: Json
}

/** A request whose body the test writes. */
export function openUpload(
  url: string,
  as: { token: string },
  headers: Record<string, string> = {},
): { sending: ClientRequest; answer: Promise<Sent> } {
  const sending = request(url, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${as.token}`, 'content-type': MULTIPART, ...headers },
  })
  const answer = new Promise<Sent>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', (response: IncomingMessage) => {
      text(response).then((read) => resolve({ status: response.statusCode ?? 0, body: parsed(read) }), reject)
    })
  })
  answer.catch(() => {})
  return { sending, answer }
}

export function upload(
  url: string,
  as: { token: string },
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const { sending, answer } = openUpload(url, as, headers)
  sending.end(body)
  return answer
}

function parsed(read: string): Json {
  try {
    return JSON.parse(read)
  } catch {
    return undefined
  }
}
