import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { WEB_ROOT } from './apps.ts'
import { MODEL_FILE, POSE_VERSION, poseFiles } from './pose-files.ts'

describe('the files of the camera', () => {
  test('the model is the one that NOTICE.md names', async () => {
    const hash = createHash('sha256')
      .update(await readFile(MODEL_FILE))
      .digest('hex')
    assert.equal(hash, '5134a3aad27a58b93da0088d431f366da362b44e3ccfbe3462b3827a839011b1')
    assert.match(await readFile(join(WEB_ROOT, 'public/pose/NOTICE.md'), 'utf8'), new RegExp(hash))
  })

  test('the WebAssembly is of the installed version, under a URL with that version', async () => {
    const manifest = join(WEB_ROOT, '../../node_modules/@mediapipe/tasks-vision/package.json')
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
    assert.equal(version, POSE_VERSION)
    for (const file of Object.values(poseFiles)) assert.ok((await stat(file)).size > 100_000, file)
  })
})
