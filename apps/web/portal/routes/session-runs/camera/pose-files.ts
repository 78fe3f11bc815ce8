/** Below the app; the build copies them there (build/pose-files.ts). */
const POSE_VERSION = '0.10.35'
export const POSE_FILES = `pose/${POSE_VERSION}`
export const POSE_MODEL = 'pose/pose_landmarker_full.task'
