import { refusal } from '@tendon/http'

export const recordingInvalid = refusal(
  400,
  'recording_invalid',
  'The recording cannot be read. Send pose batches of format 1, one after the other, compressed with gzip, in base64.',
)

export const noProposal = refusal(
  422,
  'no_proposal',
  'No configuration can be proposed from this recording. Record one to three whole repetitions, at most 60 seconds, from rest to rest, with the whole limb in the picture.',
  { reason: 'no_movement' },
)

export const poseConfigNotFound = refusal(
  404,
  'pose_config_not_found',
  'This exercise has no such pose configuration. PUT /v1/exercises/{id}/pose-config writes one; GET …/pose-config/versions lists those it has.',
)
