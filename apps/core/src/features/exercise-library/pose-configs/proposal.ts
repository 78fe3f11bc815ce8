import { gunzipSync } from 'node:zlib'
import type { PoseConfigProposal, PoseConfigRecording } from '@tendon/contracts'
import { BATCH_MAX_BYTES, decodeBatches, type PoseBatch, proposeConfig } from '@tendon/pose'
import { noProposal, recordingInvalid } from './errors.ts'

/** A minute at 60 frames a second, in batches of any size. */
const MAX_BATCHES = 8

export function proposalFrom({ recording, joint }: PoseConfigRecording): PoseConfigProposal {
  const proposal = proposeConfig(batchesOf(recording), joint)
  if (typeof proposal === 'string') throw noProposal({ reason: proposal })
  const { measured, ...rest } = proposal
  return {
    joint: rest.joint,
    config: { ...rest.config, primary_angle: [...rest.config.primary_angle] },
    repetitions: measured.repetitions ?? 0,
    confidence: measured.confidence,
    range_degrees: Math.round(measured.range_of_motion_degrees?.mean ?? 0),
    others: rest.others,
  }
}

function batchesOf(recording: string): PoseBatch[] {
  try {
    const bytes = gunzipSync(Buffer.from(recording, 'base64'), { maxOutputLength: MAX_BATCHES * BATCH_MAX_BYTES })
    return [...decodeBatches(bytes)]
  } catch {
    throw recordingInvalid()
  }
}
