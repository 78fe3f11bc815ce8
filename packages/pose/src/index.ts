export { ADVICE, type Advice, type AdviceCode } from './advice.ts'
export { type Camera, film, filmedRepetitions, filmedSeconds, STEADY_CAMERA } from './camera.ts'
export * from './codec.ts'
export * from './codec-stream.ts'
export { MEASURED_CONFIDENCE, SURE_CONFIDENCE } from './confidence.ts'
export {
  CAMERA_HEIGHTS,
  CAMERA_VIEWS,
  type CameraPlace,
  FEEDBACK_CONDITIONS,
  type FeedbackRule,
  type ParsedPoseConfig,
  POSE_ENGINE,
  POSE_SIDES,
  type PoseConfig,
  parsePoseConfig,
} from './config.ts'
export type { MediaSpan } from './frames.ts'
export { type Joint, jointOf } from './joint.ts'
export {
  type Angle,
  angleOn,
  CONNECTIONS,
  LANDMARKS,
  type LandmarkName,
  landmarkIndex,
  type Side,
} from './landmarks.ts'
export { withoutLate } from './late-events.ts'
export { type LiveFrame, type LiveMeasurement, type LiveOptions, type LiveState, startLive } from './live.ts'
export { type Manifest, type Measurement, measure, startMeasurement } from './measure.ts'
export {
  applies,
  type ExerciseMetrics,
  type NotMeasured,
  type PoseMetrics,
  type RepetitionMetrics,
} from './metrics.ts'
export { degreesAt, type Exercise, type Performed, perform, type TrueRepetition } from './motion.ts'
export {
  type NoProposal,
  type Proposal,
  proposeConfig,
  TAUGHT_JOINTS,
  TAUGHT_SECONDS_MAX,
} from './propose.ts'
