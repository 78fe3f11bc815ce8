import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ObjectExists } from './port.ts'

/** S3 accepts at most 10,000 parts of at least 5 MB. */
export const PART_BYTES = 8 * 1024 * 1024
const CONFLICT_ATTEMPTS = 4

export type Target = { Bucket: string; Key: string; ContentType: string; IfNoneMatch: '*' | undefined }

/**
 * Uploads a stream of unknown length with one part in memory. Less than one part is a single request. The object
 * becomes visible with the last request; a failure before it deletes the uploaded parts.
 */
export async function upload(
  client: S3Client,
  target: Target,
  chunks: AsyncIterable<Buffer>,
  partBytes: number,
): Promise<void> {
  const { Bucket, Key, ContentType, IfNoneMatch } = target
  let UploadId: string | undefined
  const Parts: CompletedPart[] = []
  try {
    for await (const Body of inParts(chunks, partBytes)) {
      if (UploadId === undefined) {
        if (Body.length < partBytes) return await putObject(client, target, Body)
        UploadId = (await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType }))).UploadId
      }
      const PartNumber = Parts.length + 1
      const part = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body })
      Parts.push({ PartNumber, ETag: (await client.send(part)).ETag })
    }
    const MultipartUpload = { Parts }
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload, IfNoneMatch }))
  } catch (error) {
    // Report the first failure; parts that remain are removed by the lifecycle rule of the bucket.
    if (UploadId) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined)
    throw isStatus(error, 412) ? new ObjectExists() : error
  }
}

/** 409 means that another conditional write is in progress; S3 asks to retry. */
async function putObject(client: S3Client, target: Target, Body: Buffer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.send(new PutObjectCommand({ ...target, Body }))
      return
    } catch (error) {
      if (!isStatus(error, 409) || attempt === CONFLICT_ATTEMPTS) throw error
    }
  }
}

/** Full parts, then the rest: only the last part is shorter, and it is empty only for an empty stream. */
async function* inParts(chunks: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  let empty = true
  for await (const chunk of chunks) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes) continue
    let rest = Buffer.concat(waiting)
    for (; rest.length >= partBytes; rest = rest.subarray(partBytes)) yield rest.subarray(0, partBytes)
    waiting = [rest]
    bytes = rest.length
    empty = false
  }
  if (bytes > 0 || empty) yield Buffer.concat(waiting)
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
