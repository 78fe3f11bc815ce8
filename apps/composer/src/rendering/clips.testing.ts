import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CompositionManifest } from '@tendon/contracts'
import type { SourceFile } from './clips.ts'

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

/** What one run of ffmpeg makes: starting it takes longer than to make all of them. */
type Piece = [from: string, encoding: string, to: string]

function make(pieces: readonly Piece[]): void {
  for (const [, , to] of pieces) mkdirSync(dirname(to), { recursive: true })
  const inputs = pieces.flatMap(([from]) => ['-f', 'lavfi', '-i', from])
  const outputs = pieces.flatMap(([, encoding, to], n) => ['-map', String(n), ...encoding.split(' '), to])
  const made = spawnSync('ffmpeg', ['-y', '-v', 'error', '-nostdin', ...inputs, ...outputs])
  assert.equal(made.status, 0, made.stderr.toString())
}

const clip = (to: string, seconds: number, size: string, rate: number): Piece => [
  `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`,
  '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -threads 1 -map_metadata -1',
  to,
]

const voice = (to: string, seconds: number, hertz: number): Piece => [
  `sine=frequency=${hertz}:duration=${seconds}`,
  '-c:a libmp3lame -b:a 32k',
  to,
]

/** Makes one clip; the shape differs by name, as filmed ones may. */
export const makeClip = (to: string, seconds: number, size = '64x48', rate = 30): void =>
  make([clip(to, seconds, size, rate)])

/** A bundle in a folder. */
export function makeBundle(folder: string, languages = ['en', 'ro']): string[] {
  const names: string[] = []
  const pieces: Piece[] = []
  const slots = new Set<string>()
  for (const [name, seconds] of Object.entries(CLIPS)) {
    pieces.push(clip(join(folder, name), seconds, name.startsWith('pause') ? '80x48' : '64x48', 30))
    names.push(name)
    slots.add(name.replace(/-video-\d+\.mp4$/, ''))
  }
  for (const [n, language] of languages.entries())
    for (const slot of slots) {
      const name = `audio/${language}/${slot}-vo-1`
      pieces.push(voice(join(folder, `${name}.mp3`), slot.startsWith('rep') ? 1.8 : 0.4, 300 + 200 * n))
      names.push(`${name}.mp3`, `${name}.vtt`)
    }
  make(pieces)
  for (const name of names) if (name.endsWith('.vtt')) writeFileSync(join(folder, name), VTT)
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
