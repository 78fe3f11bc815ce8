import { decodeBatch, type Manifest, type Measurement, type PoseMetrics } from '@tendon/pose'
import { inflateBody } from '../inflate/batch-body.ts'

// The part of finalise that takes time: every batch of a run is inflated and measured. It runs in a thread of its own, so that
// requests do not wait for it.

export interface PoseWork {
  /** The batches inside these bodies, in their order; undefined for one that is not good. */
  add(bodies: Uint8Array[], form: BodyForm): Promise<(Uint8Array | undefined)[]>
  /** What was measured in all of them; undefined when the measurement failed. Nothing can be added then. */
  finish(): Promise<PoseMetrics | undefined>
  /** Instead of `finish`: what was measured is not wanted any more. */
  drop(): void
}

/** As a client sent it, or as it lies in a replay. */
export type BodyForm = 'gzip' | 'batch'

export type StartPoseWork = (manifest: Manifest) => PoseWork

export type StartMeasurement = (manifest: Manifest) => Measurement

/** The work itself, in whatever thread this is called. */
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
