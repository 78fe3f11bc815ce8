import { statfs } from 'node:fs/promises'
import { FfmpegFailed } from '@tendon/video-host'

const CODES = new Set(['ENOSPC', 'EDQUOT'])
const COMPLAINT = /No space left on device|Disk quota exceeded/i

/** Whether work failed because a disk is full: in a write of our own, or in one of ffmpeg, which only says so. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && CODES.has(error.code)) return true
  return (error instanceof FfmpegFailed && COMPLAINT.test(error.message)) || isDiskFull(error.cause)
}

export async function assertRoom(folder: string, minFreeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= minFreeBytes) return
  throw Object.assign(new Error(`the disk of ${folder} has ${free} bytes left`), { code: 'ENOSPC' })
}
