import { Worker } from 'node:worker_threads'
import type { FromThread, ToThread } from './pose-thread.ts'
import type { StartPoseWork } from './pose-work.ts'

export interface PoseThread {
  start: StartPoseWork
  close(): Promise<void>
}

type Answer = Exclude<FromThread, { failure: string }>

/**
 * Pose work in one thread, started on first use and restarted when it dies. `onFailure` reports a failed measurement.
 */
export function startPoseThread(onFailure: (reason: string) => void): PoseThread {
  let thread: Worker | undefined
  let jobs = 0
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()

  function threadNow(): Worker {
    if (thread) return thread
    const started = new Worker(new URL('pose-thread.ts', import.meta.url))
    started.on('message', (message: FromThread) => {
      if ('failure' in message) return onFailure(message.failure)
      waiting.get(message.job)?.resolve(message)
      waiting.delete(message.job)
    })
    started.on('error', (error) => onFailure(String(error)))
    started.on('exit', () => {
      if (thread === started) thread = undefined
      for (const { reject } of waiting.values()) reject(new Error('The measuring thread has ended.'))
      waiting.clear()
    })
    thread = started
    return started
  }

  return {
    start(manifest) {
      const job = (jobs += 1)
      const own = threadNow()
      // One request at a time for each job. If the thread died in between it does not know the job, which is an error
      // too.
      const ask = (message: ToThread, moved: ArrayBuffer[] = []) =>
        new Promise<Answer>((resolve, reject) => {
          if (thread !== own) return reject(new Error('The measuring thread has ended.'))
          waiting.set(job, { resolve, reject })
          own.postMessage(message, moved)
        })
      own.postMessage({ job, start: manifest } satisfies ToThread, [])
      return {
        async add(bodies, form) {
          const answer = await ask({ job, bodies, form })
          return 'batches' in answer ? answer.batches : []
        },
        async finish() {
          const answer = await ask({ job, finish: true })
          return 'metrics' in answer ? answer.metrics : undefined
        },
        drop() {
          if (thread === own) own.postMessage({ job, drop: true } satisfies ToThread, [])
        },
      }
    },
    async close() {
      await thread?.terminate()
    },
  }
}
