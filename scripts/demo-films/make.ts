// `npm run demo-films`: draws the demonstration films of the library again, with their voice-overs. Needs ffmpeg and
// espeak-ng. The result is committed: npm start uploads it. Clips have no words, because all languages share them; each
// language has its voice, its captions and its film. With --compose the clips and voices stay; only the films are composed
// again.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CompositionManifest } from '@tendon/contracts'
import { degreesAt, perform } from '@tendon/pose'
import { createFfmpeg } from '@tendon/video-host'
import { buildTimeline } from '../../apps/composer/src/features/compositions/timeline-rules.ts'
import { openCache } from '../../apps/composer/src/rendering/cache.ts'
import { render } from '../../apps/composer/src/rendering/render.ts'
import { Canvas } from './canvas.ts'
import { FILMED, type Filmed, type LibraryExercise, movementOf, readLibrary, TEMPO } from './exercises.ts'
import { drawFigure, HEIGHT, WIDTH } from './figure.ts'
import type { Movement } from './pose.ts'

const TO = join(import.meta.dirname, 'films')
const FRAMES_PER_SECOND = 30
const REPS = 5
const LEAD_SECONDS = 0.4
const NUMBERS = { en: ['One', 'Two', 'Three', 'Four', 'Five'], ro: ['Unu', 'Doi', 'Trei', 'Patru', 'Cinci'] }
const WORDS = {
  en: { pause: 'Short pause. Breathe calmly.', outro: 'Well done.' },
  ro: { pause: 'Pauză scurtă. Respirați liniștit.', outro: 'Foarte bine.' },
}
const LANGUAGES = ['en', 'ro'] as const
type Language = (typeof LANGUAGES)[number]

interface Cue {
  text: string
  at: number
}

const isComposedOnly = process.argv.includes('--compose')
const scratch = mkdtempSync(join(tmpdir(), 'tendon-demo-films-'))
const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-y', '-v', 'error', '-nostdin', ...args])
async function drawClip(to: string, movement: Movement, seconds: number, degrees: (at: number) => number) {
  const input = `-f rawvideo -pix_fmt rgb24 -s ${WIDTH}x${HEIGHT} -r ${FRAMES_PER_SECOND} -i -`
  const output = `-c:v libx264 -preset veryslow -crf 27 -pix_fmt yuv420p -bf 0 -g 60 -map_metadata -1 -fflags +bitexact`
  const child = spawn('ffmpeg', [...`-y -v error ${input}`.split(' '), ...output.split(' '), to], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const canvas = new Canvas(WIDTH, HEIGHT)
  for (let frame = 0; frame < Math.round(seconds * FRAMES_PER_SECOND); frame += 1) {
    drawFigure(canvas, movement, degrees(frame / FRAMES_PER_SECOND))
    if (!child.stdin.write(Buffer.from(canvas.bytes)))
      await new Promise((resolve) => child.stdin.once('drain', resolve))
  }
  child.stdin.end()
  if ((await ended) !== 0) throw new Error(`${to} could not be drawn`)
}

function say(text: string, language: Language): { path: string; seconds: number } {
  const path = join(
    scratch,
    `${createHash('sha256')
      .update(language + text)
      .digest('hex')}.wav`,
  )
  execFileSync('espeak-ng', ['-v', language, '-s', '145', '-w', path, text])
  const bytes = readFileSync(path)
  return { path, seconds: (bytes.length - 44) / 2 / 22_050 }
}

/** The spoken texts at their times, as MP3 and as captions. */
function speak(name: string, language: Language, cues: readonly Cue[]): void {
  const spoken = cues.map(({ text, at }) => ({ ...say(text, language), text, at }))
  const inputs = spoken.flatMap(({ path }) => ['-i', path])
  const delays = spoken.map(({ at }, n) => `[${n}]adelay=${Math.round(at * 1000)}[s${n}]`)
  const mix = `${spoken.map((_, n) => `[s${n}]`).join('')}amix=inputs=${spoken.length}:normalize=0`
  mkdirSync(dirname(`${name}.mp3`), { recursive: true })
  const output = '-ac 1 -ar 22050 -c:a libmp3lame -b:a 32k -map_metadata -1 -fflags +bitexact -id3v2_version 0'.split(
    ' ',
  )
  ffmpeg(...inputs, '-filter_complex', [...delays, mix].join(';'), ...output, `${name}.mp3`)
  const time = (seconds: number) => `00:${seconds.toFixed(3).padStart(6, '0')}`
  const shown = spoken.map(({ text, at, seconds }) => `${time(at)} --> ${time(at + seconds + 0.3)}\n${text}`)
  writeFileSync(`${name}.vtt`, `WEBVTT\n\n${shown.join('\n\n')}\n`)
}

async function makeBundle(exercise: LibraryExercise, filmed: Filmed): Promise<string> {
  const { laterality, rest, peak } = filmed
  const folder = join(TO, exercise.slug)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sides = laterality === 'unilateral' ? (['left', 'right'] as const) : (['both'] as const)
  const still = movementOf(exercise, filmed, sides[0])
  const once = perform(setOf(still, 1), () => 0.5)
  const voice = (slot: string, language: Language, cues: readonly Cue[]) =>
    speak(join(folder, 'audio', language, `${slot}-vo-1`), language, cues)
  const texts: Record<string, (language: Language) => string> = {
    intro: (language) => `${exercise[language][0]}. ${exercise[language][2]}`,
    pause: (language) => WORDS[language].pause,
    outro: (language) => WORDS[language].outro,
  }
  for (const [slot, textOf] of Object.entries(texts)) {
    const longest = Math.max(...LANGUAGES.map((language) => say(textOf(language), language).seconds))
    for (const language of LANGUAGES) voice(slot, language, [{ text: textOf(language), at: 0.3 }])
    // During the introduction the figure shows the movement once.
    const at = slot === 'intro' ? (time: number) => degreesAt(once, 'left', time) : () => rest
    const seconds = Math.max(longest + 0.8, slot === 'intro' ? once.seconds : 1.5)
    await drawClip(join(folder, `${slot}-video-1.mp4`), still, seconds, at)
  }
  for (const side of sides) {
    const slot = side === 'right' ? 'rep-right' : 'rep-left'
    const performed = perform(setOf(movementOf(exercise, filmed, side), REPS), () => 0.5)
    const own = side === 'right' ? 'right' : 'left'
    await drawClip(join(folder, `${slot}-video-1.mp4`), movementOf(exercise, filmed, side), performed.seconds, (time) =>
      degreesAt(performed, own, time),
    )
    for (const language of LANGUAGES)
      voice(
        slot,
        language,
        performed.repetitions.map(({ start_seconds }, n) => ({ text: NUMBERS[language][n] ?? '', at: start_seconds })),
      )
  }
  return folder

  function setOf({ side }: Movement, repetitions: number) {
    return {
      angle: ['left_hip', 'left_knee', 'left_ankle'] as ['left_hip', 'left_knee', 'left_ankle'],
      side,
      repetitions,
      rest_degrees: rest,
      peak_degrees: peak,
      ...TEMPO,
      lead_seconds: LEAD_SECONDS,
      plane: 'sagittal' as const,
      variation: 0,
    }
  }
}

/** The video of the exercise in one language: one set for each side. */
async function makeFilm(folder: string, manifest: CompositionManifest, language: Language): Promise<void> {
  const names = execFileSync('find', ['.', '-type', 'f'], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((name) => name.slice(2))
    .filter((name) => !name.startsWith('film.'))
    .sort()
  const sets = (manifest.laterality === 'unilateral' ? (['left', 'right'] as const) : (['left'] as const)).map(
    (side) => ({
      side,
      reps: REPS,
    }),
  )
  const timeline = buildTimeline({ manifest, names, language, sets, seed: 1 })
  if (timeline.missing.length > 0) throw new Error(`missing: ${timeline.missing.join(', ')}`)
  const made = mkdtempSync(join(scratch, 'film-'))
  const files = new Map(
    names.map((name) => {
      const key = join(folder, name)
      return [
        name,
        { name, key, owner: 'platform', sha256: createHash('sha256').update(readFileSync(key)).digest('hex') },
      ]
    }),
  )
  await render(
    { timeline, language, files, width: WIDTH, height: HEIGHT, form: 'mp4' },
    {
      ffmpeg: createFfmpeg('ffmpeg'),
      cache: await openCache(join(scratch, 'cache')),
      read: async ({ key }) => createReadStream(key),
      folder: made,
      signal: new AbortController().signal,
    },
  )
  writeFileSync(join(folder, `film.${language}.mp4`), readFileSync(join(made, 'video.mp4')))
}

const library = readLibrary()
for (const filmed of FILMED) {
  const exercise = library.get(filmed.slug)
  if (!exercise) throw new Error(`the library has no ${filmed.slug}`)
  console.log(filmed.slug)
  const folder = isComposedOnly ? join(TO, filmed.slug) : await makeBundle(exercise, filmed)
  const manifest: CompositionManifest = {
    manifest_version: 1,
    exercise: filmed.slug,
    kind: 'reps_based',
    languages: [...LANGUAGES],
    laterality: filmed.laterality,
    reps_per_video_block: REPS,
    counts_per_audio_master: REPS,
  }
  for (const language of LANGUAGES) await makeFilm(folder, manifest, language)
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
rmSync(scratch, { recursive: true, force: true })
