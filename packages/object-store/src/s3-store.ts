import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { metered, owning } from './metered.ts'
import { type ObjectStore, RangeNotSatisfiable } from './port.ts'
import {
  attachmentDisposition,
  checkContentType,
  checkDownloadName,
  checkKey,
  checkLifetime,
  checkPrefix,
  checkRange,
} from './rules.ts'
import { isStatus, PART_BYTES, upload } from './s3-upload.ts'

const CONNECTION_TIMEOUT_MS = 5_000
// Applies until the response starts; reading its body may take any time.
const REQUEST_TIMEOUT_MS = 120_000
const UNKNOWN_TYPE = 'application/octet-stream'

export type S3StoreOptions = {
  bucket: string
  region: string
  endpoint?: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
  partBytes?: number
  now?: () => Date
}

export function openS3Store({
  bucket: Bucket,
  partBytes = PART_BYTES,
  now = () => new Date(),
  ...options
}: S3StoreOptions): ObjectStore {
  const client = createClient(options)

  return {
    put: (Key, body, { contentType: ContentType, maxBytes, ifAbsent = false }) =>
      owning(body, async () => {
        checkKey(Key)
        checkContentType(ContentType)
        const { chunks, result } = metered(body, maxBytes)
        const target = { Bucket, Key, ContentType, IfNoneMatch: ifAbsent ? ('*' as const) : undefined }
        await upload(client, target, chunks, partBytes)
        return result()
      }),

    async get(Key, range) {
      checkKey(Key)
      if (range) checkRange(range)
      const Range = range && `bytes=${range.start}-${range.end ?? ''}`
      const object = await unlessMissing(client.send(new GetObjectCommand({ Bucket, Key, Range }))).catch((error) => {
        throw isStatus(error, 416) ? new RangeNotSatisfiable() : error
      })
      if (!object) return undefined
      const { Body, ContentLength: bytes = 0, ContentRange, ContentType: contentType = UNKNOWN_TYPE } = object
      if (!(Body instanceof Readable)) throw new Error('The object store answered without a body.')
      const totalBytes = ContentRange ? Number(ContentRange.split('/')[1]) : bytes
      return { body: Body, bytes, totalBytes, contentType }
    },

    async head(Key) {
      checkKey(Key)
      const object = await unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key })))
      return object && { bytes: object.ContentLength ?? 0, contentType: object.ContentType ?? UNKNOWN_TYPE }
    },

    async delete(Key) {
      checkKey(Key)
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },

    async *list(Prefix) {
      checkPrefix(Prefix)
      let ContinuationToken: string | undefined
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },

    async signedUrl(Key, { expiresInSeconds, downloadName, contentType }) {
      checkKey(Key)
      checkLifetime(expiresInSeconds)
      if (contentType !== undefined) checkContentType(contentType)
      if (downloadName !== undefined) checkDownloadName(downloadName)
      const ResponseContentDisposition = attachmentDisposition(downloadName)
      const command = new GetObjectCommand({
        Bucket,
        Key,
        ResponseContentDisposition,
        ResponseContentType: contentType,
      })
      return getSignedUrl(client, command, { expiresIn: expiresInSeconds, signingDate: now() })
    },

    async check() {
      const Key = 'readiness-check'
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(0) }))
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
  }
}

function createClient({
  region,
  endpoint,
  accessKeyId,
  secretAccessKey,
  forcePathStyle,
}: Omit<S3StoreOptions, 'bucket' | 'partBytes' | 'now'>): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    // Amazon understands checksum trailers, other S3-compatible stores may not.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  })
}

async function unlessMissing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    const missing = error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name)
    if (missing) return undefined
    throw error
  }
}
