import { refusal } from '@tendon/http'

export const poseConfigNotFound = refusal(
  404,
  'pose_config_not_found',
  'This exercise has no such pose configuration. PUT /v1/exercises/{id}/pose-config writes one; GET …/pose-config/versions lists those it has.',
)
