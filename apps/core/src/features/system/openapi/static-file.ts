import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Bytes that stay the same while the server runs. */
export interface StaticFile {
  plain: Buffer
  zipped: Buffer
  type: string
  etag: string
  cacheControl: string
}

export async function staticFile(content: string | Buffer, type: string, cacheControl: string): Promise<StaticFile> {
  const plain = Buffer.from(content)
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27)
  return { plain, zipped: await promisify(gzip)(plain), type, etag: `W/"${digest}"`, cacheControl }
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  reply.headers({ etag: file.etag, 'cache-control': file.cacheControl, vary: 'accept-encoding' })
  if (names(request.headers['if-none-match']).includes(file.etag)) return reply.code(304).send()
  reply.type(file.type)
  if (!names(request.headers['accept-encoding']).includes('gzip')) return reply.send(file.plain)
  return reply.header('content-encoding', 'gzip').send(file.zipped)
}

/** The members of a header's list; one with a weight of 0 is refused, and so not among them. */
function names(header: string | undefined): string[] {
  return (header ?? '').split(',').flatMap((member) => {
    const [name = '', weight = ''] = member.split(';').map((part) => part.trim())
    return /^q=0(\.0*)?$/.test(weight) ? [] : [name]
  })
}
