import { decodeBatch, type Manifest, type Measurement, type PoseMetrics } from '@tendon/pose'
import { inflateBody } from '../inflate/batch-body.ts'

// The slow part of finalise: inflates and measures every batch of a run. Runs in a thread of its own, so that requests
// do not wait for it.

export interface PoseWork {
  /** Returns the batches in these bodies, in order; undefined for an invalid one. */
  add(bodies: Uint8Array[], form: BodyForm): Promise<(Uint8Array | undefined)[]>
  /** Returns the measurement; undefined when it failed. Nothing can be added afterwards. */
  finish(): Promise<PoseMetrics | undefined>
  /** Called instead of `finish` when the measurement is no longer needed. */
  drop(): void
}

/** A body as sent by a client, or as stored in a replay. */
export type BodyForm = 'gzip' | 'batch'

export type StartPoseWork = (manifest: Manifest) => PoseWork

type StartMeasurement = (manifest: Manifest) => Measurement

/** Does the work in the calling thread. */
export function poseWork(startMeasurement: StartMeasurement, onFailure: (error: unknown) => void): StartPoseWork {
  return (manifest) => {
    let measurement: Measurement | undefined
    const measuring = <Result>(work: (measurement: Measurement) => Result): Result | undefined => {
      try {
        return measurement && work(measurement)
      } catch (error) {
        onFailure(error)
        measurement = undefined
        return undefined
      }
    }
    try {
      measurement = startMeasurement(manifest)
    } catch (error) {
      onFailure(error)
    }
    return {
      async add(bodies, form) {
        return bodies.map((body) => {
          const batch = form === 'gzip' ? inflateBody(body) : body
          if (batch) measuring((one) => one.add(decodeBatch(batch)))
          return batch
        })
      },
      finish: async () => measuring((one) => one.finish()),
      drop() {
        measurement = undefined
      },
    }
  }
}
