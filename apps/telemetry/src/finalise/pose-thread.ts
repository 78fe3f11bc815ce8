import { parentPort } from 'node:worker_threads'
import { type Manifest, type PoseMetrics, startMeasurement } from '@tendon/pose'
import { type BodyForm, type PoseWork, poseWork } from './pose-work.ts'

export type ToThread =
  | { job: number; start: Manifest }
  | { job: number; bodies: Uint8Array[]; form: BodyForm }
  | { job: number; finish: true }
  | { job: number; drop: true }

export type FromThread =
  | { job: number; batches: (Uint8Array | undefined)[] }
  | { job: number; metrics: PoseMetrics | undefined }
  | { failure: string }

const post = (message: FromThread, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved)
const start = poseWork(startMeasurement, (error) => post({ failure: String(error) }))
const jobs = new Map<number, PoseWork>()

parentPort?.on('message', (message: ToThread) => void work(message))

async function work(message: ToThread): Promise<void> {
  const { job } = message
  if ('start' in message) {
    jobs.set(job, start(message.start))
    return
  }
  const current = jobs.get(job)
  if (!current) return
  if ('drop' in message) {
    jobs.delete(job)
    return
  }
  if ('finish' in message) {
    jobs.delete(job)
    post({ job, metrics: await current.finish() })
    return
  }
  const batches = await current.add(message.bodies, message.form)
  post({ job, batches }, batches.flatMap(ownMemory))
}

/** A buffer with its own memory is transferred; a small one shares Node's pool and is copied. */
function ownMemory(batch: Uint8Array | undefined): ArrayBuffer[] {
  if (!(batch?.buffer instanceof ArrayBuffer) || batch.buffer.byteLength !== batch.byteLength) return []
  return [batch.buffer]
}
