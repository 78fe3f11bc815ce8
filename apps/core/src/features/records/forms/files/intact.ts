import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '@tendon/object-store'
import type { StoredFormFile } from './queries.ts'

/**
 * Of these files, those that the store does not hold as their rows say: replaced, or gone. One after the other, as streams.
 * Throws when the store cannot answer.
 */
export async function findChangedFiles(
  objects: ObjectStore,
  files: readonly StoredFormFile[],
  signal: AbortSignal,
): Promise<StoredFormFile[]> {
  const changed: StoredFormFile[] = []
  for (const file of files) {
    signal.throwIfAborted()
    if (!(await isIntact(objects, file, signal))) changed.push(file)
  }
  return changed
}

async function isIntact(
  objects: ObjectStore,
  { s3_key, size, sha256 }: StoredFormFile,
  signal: AbortSignal,
): Promise<boolean> {
  const stored = await objects.get(s3_key)
  if (!stored) {
    // A folder or bucket that is not there holds nothing either.
    await objects.check()
    return false
  }
  if (stored.totalBytes !== size) {
    stored.body.destroy()
    return false
  }
  const hash = createHash('sha256')
  await pipeline(stored.body, hash, { signal })
  return hash.digest().equals(sha256)
}
