import { FilesetResolver, PoseLandmarker } from '@mediapipe/tasks-vision'
import type { Delegate } from './messages.ts'

export interface Found {
  /** x, y, z (metres) and visibility of 33 landmarks; undefined when nobody is visible. */
  values: Float32Array | undefined
  /** x and y in the picture, from 0 to 1. */
  points: Float32Array
}

export interface Detector {
  delegate: Delegate
  find(picture: ImageBitmap, at_ms: number): Found
  close(): void
}

const NOBODY: Found = { values: undefined, points: new Float32Array(0) }

export async function createDetector(files: string, model: string, delegate: Delegate): Promise<Detector> {
  const fileset = await FilesetResolver.forVisionTasks(files, true)
  const landmarker = await PoseLandmarker.createFromOptions(fileset, {
    baseOptions: { modelAssetPath: model, delegate },
    runningMode: 'VIDEO',
    numPoses: 1,
  })
  return {
    delegate,
    find(picture, at_ms) {
      const { landmarks, worldLandmarks } = landmarker.detectForVideo(picture, at_ms)
      const [inPicture, inSpace] = [landmarks[0], worldLandmarks[0]]
      if (!inPicture || !inSpace) return NOBODY
      return {
        values: Float32Array.from(inSpace.flatMap(({ x, y, z, visibility }) => [x, y, z, visibility])),
        points: Float32Array.from(inPicture.flatMap(({ x, y }) => [x, y])),
      }
    },
    close: () => landmarker.close(),
  }
}

/** A graphics card emulated in software is slower than the processor. */
export function hasGraphicsCard(): boolean {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2')
  if (!gl) return false
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const renderer = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return !/swiftshader|llvmpipe|software|basic render/i.test(renderer)
}
