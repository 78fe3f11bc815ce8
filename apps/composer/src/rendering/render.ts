import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Ffmpeg, MASTER_PLAYLIST, type RenderFiles } from '@tendon/video-host'
import type { Timeline } from '../features/compositions/timeline-rules.ts'
import { codecOf, readMp4 } from './boxes.ts'
import type { Cache } from './cache.ts'
import { joinCaptions } from './captions.ts'
import { checkRender } from './check.ts'
import { type ClipTools, normaliseClip, normaliseSound, posterOf, type SourceFile, silenceOf } from './clips.ts'
import { joinArguments } from './join.ts'
import { captionsPlaylist, masterPlaylist } from './master-playlist.ts'
import { FRAMES_PER_SECOND, rungsFor } from './profile.ts'
import { joinSound, silentFrame } from './sound.ts'

export interface RenderPlan {
  timeline: Timeline
  language: string
  /** The files of the bundle by name. */
  files: ReadonlyMap<string, SourceFile>
  /** The aspect ratio of the video; clips with another one get bars. */
  width: number
  height: number
  form: 'hls' | 'mp4'
}

export type Stage = 'normalising' | 'joining' | 'checking'

interface RenderTools {
  ffmpeg: Ffmpeg
  cache: Cache
  /** The content of a file of the bundle. */
  read: ClipTools['read']
  /** An empty folder for the result. */
  folder: string
  signal: AbortSignal
  onProgress?: (stage: Stage, share: number) => void
}

export interface Rendered extends RenderFiles {
  seconds: number
}

const JOIN_WALL_MS = 10 * 60 * 1000
const JOIN_PROCESSOR_SECONDS = 10 * 60

/** Throws `BadClip` when a file of the bundle cannot be used. */
export async function render(plan: RenderPlan, tools: RenderTools): Promise<Rendered> {
  const { timeline, language, form, files } = plan
  const { folder, signal, onProgress } = tools
  const rungs = rungsFor(plan.width, plan.height)
  const fileOf = (name: string) => {
    const file = files.get(name)
    if (!file) throw new Error(`the bundle has no ${name}`)
    return file
  }

  // Every clip once, however often it plays.
  const videos = [...new Set(timeline.items.map(({ video }) => video))]
  const voices = [...new Set(timeline.voices.flatMap((voice) => Object.values(voice.files).map(({ sound }) => sound)))]
  const total = videos.length + voices.length
  let done = 0
  const step = async <Value>(work: Promise<Value>): Promise<Value> => {
    const value = await work
    done += 1
    onProgress?.('normalising', done / total)
    return value
  }
  const clips = new Map<string, { paths: string[]; frames: number }>()
  for (const name of videos) clips.set(name, await step(normaliseClip(fileOf(name), rungs, tools)))
  const sounds = new Map<string, string>()
  for (const name of voices) sounds.set(name, await step(normaliseSound(fileOf(name), tools)))
  const silence = await silentFrame(await silenceOf(tools))

  onProgress?.('joining', 0)
  const framesOf = (video: string) => clips.get(video)?.frames ?? 0
  const ends: number[] = []
  for (const { video } of timeline.items) ends.push((ends.at(-1) ?? 0) + framesOf(video))
  const frames = ends.at(-1) ?? 0
  const seconds = frames / FRAMES_PER_SECOND

  const lists = await Promise.all(
    rungs.map(async (_, n) => {
      const path = join(folder, `list-${n}.txt`)
      const lines = timeline.items.flatMap(({ video }) => [
        `file ${quoted(clips.get(video)?.paths[n] ?? '')}`,
        `duration ${(framesOf(video) / FRAMES_PER_SECOND).toFixed(6)}`,
      ])
      await writeFile(path, `ffconcat version 1.0\n${lines.join('\n')}\n`)
      return path
    }),
  )
  const span = ({ from, items }: { from: number; items: number }) => ({
    start: ends[from - 1] ?? 0,
    end: ends[from + items - 1] ?? 0,
  })
  const spoken = form === 'mp4' ? [language] : timeline.languages
  const tracks = await Promise.all(
    spoken.map(async (tongue) => {
      const pieces = timeline.voices.map((voice) => {
        const { start, end } = span(voice)
        return { path: sounds.get(voice.files[tongue]?.sound ?? '') ?? '', pictures: end - start }
      })
      const path = join(folder, `track-${tongue}.aac`)
      return { language: tongue, path, frames: await joinSound(pieces, silence, path) }
    }),
  )
  const captions: { language: string; name: string }[] = []
  for (const tongue of timeline.languages) {
    const pieces = await Promise.all(
      timeline.voices.flatMap((voice) => {
        const name = voice.files[tongue]?.captions
        if (!name) return []
        const { start, end } = span(voice)
        const read = tools.read(fileOf(name)).then(text)
        return [read.then((cues) => ({ text: cues, startSeconds: start / 30, endSeconds: end / 30 }))]
      }),
    )
    if (pieces.length === 0) continue
    captions.push({ language: tongue, name: `captions-${tongue}.vtt` })
    await writeFile(join(folder, `captions-${tongue}.vtt`), joinCaptions(pieces))
  }

  const clipFolder = dirname([...clips.values()][0]?.paths[0] ?? folder)
  await tools.ffmpeg.run({
    args: joinArguments({ form, folder, lists, tracks }),
    reads: [clipFolder],
    writes: folder,
    wallMs: JOIN_WALL_MS,
    processorSeconds: JOIN_PROCESSOR_SECONDS,
    signal,
  })
  const first = timeline.items.find(({ slot }) => slot.startsWith('rep-'))?.video ?? videos[0] ?? ''
  await writeFile(join(folder, 'poster.jpg'), await readFile(await posterOf(fileOf(first), clips.get(first), tools)))

  onProgress?.('checking', 0)
  const names = form === 'mp4' ? ['video.mp4', 'poster.jpg'] : await writeMaster()
  const soundFrames = tracks[0]?.frames ?? 0
  await checkRender({ form, folder, names, frames, soundFrames, rungs: rungs.length, languages: spoken })
  return { folder, names: [...names, ...captions.map(({ name }) => name)], captions, seconds }

  async function writeMaster(): Promise<string[]> {
    const read = (name: string) => readFile(join(folder, name), 'utf8')
    const pictures = await Promise.all(
      rungs.map(async ({ width, height }, n) => {
        const { decoder } = await readMp4(join(folder, `pictures-${n}.m4s`))
        if (!decoder) throw new Error('the pictures have no decoder setup')
        const name = `pictures-${n}.m3u8`
        return { name, width, height, codec: codecOf(decoder), playlist: await read(name) }
      }),
    )
    const sounds = await Promise.all(
      spoken.map(async (tongue) => ({
        language: tongue,
        name: `sound-${tongue}.m3u8`,
        playlist: await read(`sound-${tongue}.m3u8`),
      })),
    )
    for (const { language: tongue, name } of captions)
      await writeFile(join(folder, `captions-${tongue}.m3u8`), captionsPlaylist(name, seconds))
    const shown = captions.map(({ language: tongue }) => ({ language: tongue, name: `captions-${tongue}.m3u8` }))
    await writeFile(join(folder, MASTER_PLAYLIST), masterPlaylist({ pictures, sounds, captions: shown, language }))
    return [
      MASTER_PLAYLIST,
      'poster.jpg',
      ...pictures.flatMap((_, n) => [`pictures-${n}.m3u8`, `pictures-${n}.m4s`]),
      ...spoken.flatMap((tongue) => [`sound-${tongue}.m3u8`, `sound-${tongue}.m4s`]),
      ...shown.map(({ name }) => name),
    ]
  }
}

/** Quotes a text for a concat script, in which only the apostrophe is special between apostrophes. */
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`

export const bytesOf = async (folder: string, names: readonly string[]): Promise<number> =>
  (await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))).reduce((a, b) => a + b, 0)
