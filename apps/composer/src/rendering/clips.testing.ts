import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CompositionManifest } from '@tendon/contracts'
import type { SourceFile } from './clips.ts'

export const NO_FFMPEG = spawnSync('ffmpeg', ['-version']).status !== 0 && 'ffmpeg is not installed'

export const MANIFEST: CompositionManifest = {
  manifest_version: 1,
  exercise: 'sit-to-stand',
  kind: 'reps_based',
  languages: ['en', 'ro'],
  laterality: 'unilateral',
  reps_per_video_block: 5,
  counts_per_audio_master: 10,
}

export const VTT = 'WEBVTT\n\n00:00.100 --> 00:00.900\nSlowly.\n'

/** Small clips of the given seconds, with a tone as voice-over. */
const CLIPS: Readonly<Record<string, number>> = {
  'intro-video-1.mp4': 1,
  'rep-left-video-1.mp4': 1,
  'rep-left-video-2.mp4': 1.5,
  'rep-right-video-1.mp4': 1,
  'pause-video-1.mp4': 0.5,
  'outro-video-1.mp4': 0.6,
}

function make(words: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const made = spawnSync('ffmpeg', [...`-y -v error -nostdin ${words}`.split(' '), to])
  assert.equal(made.status, 0, made.stderr.toString())
}

/** Makes one clip; the shape differs by name, as filmed ones may. */
export function makeClip(to: string, seconds: number, size = '64x48', rate = 30): void {
  const picture = `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`
  make(`-f lavfi -i ${picture} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -threads 1 -map_metadata -1`, to)
}

export function makeVoice(to: string, seconds: number, hertz: number): void {
  make(`-f lavfi -i sine=frequency=${hertz}:duration=${seconds} -c:a libmp3lame -b:a 32k`, to)
}

/** A bundle in a folder. */
export function makeBundle(folder: string, languages = ['en', 'ro']): string[] {
  const names: string[] = []
  const slots = new Set<string>()
  for (const [name, seconds] of Object.entries(CLIPS)) {
    makeClip(join(folder, name), seconds, name.startsWith('pause') ? '80x48' : '64x48')
    names.push(name)
    slots.add(name.replace(/-video-\d+\.mp4$/, ''))
  }
  for (const [n, language] of languages.entries())
    for (const slot of slots) {
      const name = `audio/${language}/${slot}-vo-1`
      makeVoice(join(folder, `${name}.mp3`), slot.startsWith('rep') ? 1.8 : 0.4, 300 + 200 * n)
      writeFileSync(join(folder, `${name}.vtt`), VTT)
      names.push(`${name}.mp3`, `${name}.vtt`)
    }
  return names
}

export function sourceFiles(folder: string, names: readonly string[]): Map<string, SourceFile> {
  return new Map(
    names.map((name) => {
      const sha256 = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return [name, { name, sha256, owner: 'platform', key: join(folder, name) }]
    }),
  )
}
