import { createReadStream } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB_ROOT } from './apps.ts'

// The model and the WebAssembly of the camera. Both are named by their version: their content never changes.

const WASM_DIR = join(WEB_ROOT, '../../node_modules/@mediapipe/tasks-vision/wasm')
export const MODEL_FILE = join(WEB_ROOT, 'public/pose/pose_landmarker_full.task')
export const POSE_VERSION = '0.10.35'

/** URL path below the portal → file. The module variant only: the worker is a module. */
export const poseFiles: Readonly<Record<string, string>> = {
  [`pose/${POSE_VERSION}/vision_wasm_module_internal.js`]: join(WASM_DIR, 'vision_wasm_module_internal.js'),
  [`pose/${POSE_VERSION}/vision_wasm_module_internal.wasm`]: join(WASM_DIR, 'vision_wasm_module_internal.wasm'),
  'pose/pose_landmarker_full.task': MODEL_FILE,
}

export async function copyPoseFiles(dir: string): Promise<void> {
  for (const [path, file] of Object.entries(poseFiles)) {
    await mkdir(join(dir, path, '..'), { recursive: true })
    await copyFile(file, join(dir, path))
  }
}

/** For Vite's server. */
export function posePlugin(): Plugin {
  return {
    name: 'pose-files',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = poseFiles[(request.url ?? '').replace(/^\/portal\//, '').split('?', 1)[0] ?? '']
        if (file === undefined) return next()
        const type = file.endsWith('.wasm')
          ? 'application/wasm'
          : file.endsWith('.js')
            ? 'text/javascript'
            : 'application/octet-stream'
        createReadStream(file).on('error', next).pipe(response.setHeader('content-type', type))
      })
    },
  }
}
