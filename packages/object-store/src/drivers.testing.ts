import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'node:querystring'
import { pipeline } from 'node:stream/promises'
import S3rver from '@20minutes/s3rver'
import { portOf } from '@tendon/testing'
import { attachmentDisposition, createFsStore, createS3Store, type ObjectStore, verifySignedUrl } from './index.ts'

export type Fixture = {
  storeAt: (now?: () => Date) => ObjectStore
  stop: () => Promise<void>
  /** Why the test double of this driver cannot test `ifAbsent`. */
  ifAbsentUntestable?: string
}

export const drivers: Record<string, (partBytes?: number) => Promise<Fixture>> = {
  'the file system': onFileSystem,
  S3: onS3,
}

/** A store, and a server that answers signed URLs like the API. */
async function onFileSystem(): Promise<Fixture> {
  const root = await temporaryFolder()
  const signingKey = randomBytes(32)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const [path = '', query = ''] = url.split('?')
    const key = path.replace('/v1/public/objects/', '')
    const verdict = verifySignedUrl({ signingKey, method, key, query: parse(query), now: new Date() })
    const object = verdict.ok ? await storeAt().get(key) : undefined
    if (!verdict.ok || !object) {
      response.writeHead(verdict.ok ? 404 : 403).end()
      return
    }
    response.setHeader('content-type', verdict.contentType ?? object.contentType)
    response.setHeader('content-disposition', attachmentDisposition(verdict.downloadName))
    await pipeline(object.body, response)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const publicBaseUrl = `http://127.0.0.1:${portOf(server)}`
  const storeAt: Fixture['storeAt'] = (now = () => new Date()) =>
    createFsStore({ root, publicBaseUrl, signingKey, now })
  const stop = async () => {
    server.close().closeAllConnections()
    await rm(root, { recursive: true })
  }
  return { storeAt, stop }
}

/**
 * s3rver verifies V4 signatures but computes those of lists wrongly: lists go to a second server that skips the check.
 */
async function onS3(partBytes?: number): Promise<Fixture> {
  const directory = await temporaryFolder()
  const strict = await startS3rver(directory, false)
  const lenient = await startS3rver(directory, true)

  const storeAt: Fixture['storeAt'] = (now = () => new Date()) => {
    const common = {
      bucket: 'tendon',
      region: 'us-east-1',
      forcePathStyle: true,
      now,
      ...(partBytes ? { partBytes } : {}),
    }
    const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
    const lists = createS3Store({ ...common, ...keys, endpoint: lenient.endpoint })
    return { ...createS3Store({ ...common, ...keys, endpoint: strict.endpoint }), list: (prefix) => lists.list(prefix) }
  }
  const stop = async () => {
    for (const { server } of [strict, lenient]) {
      server.httpServer.closeAllConnections()
      await server.close()
    }
    await rm(directory, { recursive: true })
  }
  const ifAbsentUntestable = 's3rver 4.0.4 ignores If-None-Match on writes; s3-store.test.ts checks what is sent'
  return { storeAt, stop, ifAbsentUntestable }
}

async function startS3rver(directory: string, allowMismatchedSignatures: boolean) {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    allowMismatchedSignatures,
    vhostBuckets: false,
    configureBuckets: [{ name: 'tendon' }],
  })
  const { port } = await server.run()
  return { server, endpoint: `http://127.0.0.1:${port}` }
}

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tendon-objects-'))
}
