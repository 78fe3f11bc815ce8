import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  explainToneMapping,
  type Ffmpeg,
  FfmpegFailed,
  readHdr,
  ToneMappingMissing,
  untrustedInput,
} from '@tendon/video-host'
import { readMp4 } from './boxes.ts'
import type { Cache, Missing } from './cache.ts'
import { isDiskFull } from './disk.ts'
import { gainFor, levelFilter, measureArguments, readLoudness } from './loudness.ts'
import {
  CLIP_MAX_SECONDS,
  FRAMES_PER_SECOND,
  PROFILE_VERSION,
  pictureArguments,
  type Rung,
  SOUND_ARGUMENTS,
  VOICE_MAX_SECONDS,
} from './profile.ts'

// Each file of a bundle is converted once for each quality level, into the cache.

export interface SourceFile {
  name: string
  sha256: string
  /** The organization, or `platform`. Part of the cache key, so that no clinic can find out which files another clinic has. */
  owner: string
  /** In the object store. */
  key: string
}

export interface ClipTools {
  ffmpeg: Ffmpeg
  cache: Cache
  read: (file: SourceFile) => Promise<Readable>
  signal: AbortSignal
}

/** A file of the bundle that cannot be used; another attempt would fail too. */
export class BadClip extends Error {
  override name = 'BadClip'
  readonly file: string
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`${file} cannot be used: ${reason}`, options)
    this.file = file
  }
}

const WALL_MS = 20 * 60 * 1000
const PROCESSOR_SECONDS = 40 * 60
const POSTER_AT_SECONDS = 1

type Run = (args: readonly string[]) => Promise<string>

/** Stores the file beside the missing ones, and runs ffmpeg on it as often as `work` needs. */
async function convert(
  { ffmpeg, read, signal }: ClipTools,
  file: SourceFile,
  input: { format: string; maxSeconds: number },
  missing: Missing[],
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const folder = dirname(missing[0]?.to ?? '')
  const from = join(folder, 'source')
  await writeFile(from, await read(file))
  const bounds = { reads: [], writes: folder, wallMs: WALL_MS, processorSeconds: PROCESSOR_SECONDS, signal }
  try {
    await work((args) =>
      ffmpeg.run({ ...bounds, args: [...untrustedInput(from, input.format, input.maxSeconds), ...args] }),
    )
  } catch (error) {
    if (error instanceof FfmpegFailed && isFaultOfFile(error)) throw new BadClip(file.name, reasonOf(error))
    throw error instanceof ToneMappingMissing ? new BadClip(file.name, error.message, { cause: error }) : error
  }
}

/** False when the system killed ffmpeg or the disk is full. Running out of memory is a fault of the file: a retry would too. */
const isFaultOfFile = (error: FfmpegFailed) =>
  error.killed !== 'signal' && error.killed !== 'aborted' && !isDiskFull(error)

const reasonOf = ({ killed }: FfmpegFailed) =>
  killed === null ? 'it is damaged or of another format' : 'it takes too long to convert'

export async function normaliseClip(file: SourceFile, rungs: readonly Rung[], tools: ClipTools) {
  const recipes = rungs.map(({ width, height }) => ['picture', PROFILE_VERSION, file.owner, file.sha256, width, height])
  const paths = await tools.cache.get(recipes, 'mp4', async (missing) => {
    await convert(tools, file, { format: 'mov', maxSeconds: CLIP_MAX_SECONDS }, missing, async (run) => {
      const hdr = await readHdr(run)
      const outputs = missing.flatMap(({ index, to }) =>
        rungs.slice(index, index + 1).flatMap((rung) => pictureArguments(rung, hdr, to)),
      )
      await explainToneMapping(hdr, () => run(outputs))
    })
    for (const { to } of missing)
      if ((await readMp4(to)).samples === 0) throw new BadClip(file.name, 'it has no pictures')
  })
  return { paths, frames: (await readMp4(paths[0] ?? '')).samples }
}

export async function normaliseSound(file: SourceFile, tools: ClipTools): Promise<string> {
  const input = { format: 'mp3', maxSeconds: VOICE_MAX_SECONDS }
  const [path = ''] = await tools.cache.get([['sound', PROFILE_VERSION, file.owner, file.sha256]], 'aac', (missing) =>
    convert(tools, file, input, missing, async (run) => {
      const measured = async (repeated: boolean) => readLoudness(await run(measureArguments({ repeated })))
      const gain = gainFor((await measured(false)) ?? (await measured(true)))
      await run(['-af', levelFilter(gain), ...SOUND_ARGUMENTS, missing[0]?.to ?? ''])
    }),
  )
  return path
}

/** A second of silence. */
export async function silenceOf({ ffmpeg, cache, signal }: ClipTools): Promise<string> {
  const [path = ''] = await cache.get([['silence', PROFILE_VERSION]], 'aac', async (missing) => {
    const to = missing[0]?.to ?? ''
    const args = [...'-f lavfi -t 1 -i anullsrc=r=48000:cl=mono'.split(' '), ...SOUND_ARGUMENTS, to]
    await ffmpeg.run({ args, reads: [], writes: dirname(to), wallMs: 60_000, processorSeconds: 60, signal })
  })
  return path
}

/** A picture of the clip, from its second 1. */
export async function posterOf(
  file: SourceFile,
  clip: { paths: string[]; frames: number } | undefined,
  { ffmpeg, cache, signal }: ClipTools,
): Promise<string> {
  const from = clip?.paths.at(-1) ?? ''
  const [path = ''] = await cache.get(
    [['poster', PROFILE_VERSION, file.owner, file.sha256, from]],
    'jpg',
    async (missing) => {
      const to = missing[0]?.to ?? ''
      const at = (clip?.frames ?? 0) > POSTER_AT_SECONDS * FRAMES_PER_SECOND ? POSTER_AT_SECONDS : 0
      const input = ['-ss', String(at), '-protocol_whitelist', 'file', '-f', 'mov', '-i', from]
      const args = [...input, '-map_metadata', '-1', '-frames:v', '1', '-q:v', '4', '-threads', '1', '-update', '1', to]
      const bounds = { wallMs: 60_000, processorSeconds: 60, signal }
      await ffmpeg.run({ args, reads: [dirname(from)], writes: dirname(to), ...bounds })
    },
  )
  return path
}
