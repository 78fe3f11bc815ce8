import type { VideoUpload } from '@tendon/contracts'

const MAX_UPLOAD_AGE_MS = 24 * 60 * 60 * 1000
const MAX_METADATA_LENGTH = 1_000

/** What a crash of a server can lose of an upload. */
export const PART_BYTES = 8 * 1024 * 1024
/** The largest video in whole parts, and as many again for connections that broke. */
export const MAX_PARTS = 1_000

export const expiryOf = (startedAt: Date): Date => new Date(startedAt.getTime() + MAX_UPLOAD_AGE_MS)

/** Finishes "Upload-Metadata …". */
export function metadataProblem(metadata: VideoUpload['metadata']): string | undefined {
  if (typeof metadata['filetype'] !== 'string')
    return 'must contain filetype, such as "filetype dmlkZW8vbXA0" (video/mp4)'
  if (JSON.stringify(metadata).length > MAX_METADATA_LENGTH) return `is longer than ${MAX_METADATA_LENGTH} characters`
  return undefined
}
