import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testsWithPrograms } from './choose.ts'

const INDEX = `export { until } from './until.ts'
export { findChromium, NO_FFMPEG } from './programs.ts'
export { type Video, hostileVideos } from './hostile-media.ts'`
const PROJECT = {
  'packages/testing/src/index.ts': INDEX,
  'packages/testing/src/programs.ts': `import { accessSync } from 'node:fs'`,
  'packages/testing/src/hostile-media.ts': `import { spawnSync } from 'node:child_process'`,
  'packages/testing/src/until.ts': '',
}
const chosen = (files: Record<string, string>) => testsWithPrograms(new Map(Object.entries({ ...PROJECT, ...files })))

describe('a test file runs on a machine without optional programs', () => {
  test('when it starts a program itself or through a helper, in a circle of helpers too', () => {
    const files = {
      'apps/a/direct.test.ts': `import { spawn } from 'node:child_process'`,
      'apps/a/through.test.ts': `import { start } from './testing.ts'`,
      'apps/a/testing.ts': `import { other } from './other.ts'\nimport { make } from './clips.testing.ts'`,
      'apps/a/other.ts': `import { start } from './testing.ts'`,
      'apps/a/clips.testing.ts': `import { spawnSync } from 'node:child_process'`,
      'apps/a/circle.test.ts': `import { other } from './other.ts'`,
      'apps/a/browser.test.ts': `import { page } from './later.ts'`,
      'apps/a/later.ts': `const { chromium } = await import('playwright-core')`,
    }
    assert.deepEqual(
      chosen(files),
      ['browser', 'circle', 'direct', 'through'].map((name) => `apps/a/${name}.test.ts`),
    )
  })

  test('when it asks whether a program is there, or takes what a program makes', () => {
    const files = {
      'apps/a/asks.test.ts': `import {\n  NO_FFMPEG,\n  until,\n} from '@tendon/testing'`,
      'apps/a/names.test.ts': `import { findProgram } from '@tendon/testing/programs'`,
      'apps/a/takes.test.ts': `import { hostileVideos } from '@tendon/testing'`,
    }
    assert.deepEqual(chosen(files), Object.keys(files))
  })

  test('and not when it takes only types, or other things of the same package', () => {
    const files = {
      'apps/a/waits.test.ts': `import { until, type Video } from '@tendon/testing'`,
      'apps/a/types.test.ts': `import type { ChildProcess } from 'node:child_process'`,
      'apps/a/no-test.ts': `import { spawn } from 'node:child_process'`,
    }
    assert.deepEqual(chosen(files), [])
  })
})
