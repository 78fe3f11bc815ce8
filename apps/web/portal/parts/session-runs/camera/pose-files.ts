/** Paths below the app's root; build/pose-files.ts copies the files. */
const POSE_VERSION = '0.10.35'
export const POSE_FILES = `pose/${POSE_VERSION}`
export const POSE_MODEL = 'pose/pose_landmarker_full.task'
