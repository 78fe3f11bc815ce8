import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Ffmpeg, FfmpegFailed, untrustedInput } from './ffmpeg.ts'
import { explainToneMapping, type Hdr, readHdr, ToneMappingMissing, toneMapping } from './hdr.ts'
import { type Facts, VIDEO_MAX_SECONDS } from './inspect.ts'
import { MASTER_PLAYLIST } from './stored-url.ts'

// An uploaded video as HLS: one file per rendition, with segments by byte range, so that a video is a handful of objects;
// and a thumbnail.

export const THUMBNAIL = 'thumbnail.jpg'

/** By the shorter side, in pixels. A video that is smaller than the first keeps its own size. */
const RENDITIONS = [
  { side: 360, kilobits: 800 },
  { side: 720, kilobits: 2_500 },
]
const SEGMENT_SECONDS = 4
const FRAMES_MAX_PER_SECOND = 60
const THUMBNAIL_AT_SECONDS = 1
const WALL_MAX_MS = 60 * 60 * 1000
const PROCESSOR_MAX_SECONDS = 4 * 60 * 60
const FORMATS: Readonly<Record<string, string>> = { 'video/webm': 'matroska' }

interface Conversion {
  ffmpeg: Ffmpeg
  from: string
  mime: string
  /** An empty folder. */
  to: string
  facts: Facts
  signal: AbortSignal
}

/** Always makes a thumbnail too. */
export async function convert({ ffmpeg, from, mime, to, facts, signal }: Conversion): Promise<void> {
  const input = untrustedInput(from, FORMATS[mime] ?? 'mov', VIDEO_MAX_SECONDS)
  const bounds = { reads: [from], writes: to, wallMs: WALL_MAX_MS, processorSeconds: PROCESSOR_MAX_SECONDS, signal }
  const explained = (error: unknown) => {
    if (!(error instanceof FfmpegFailed || error instanceof ToneMappingMissing)) return error
    return new Error(`the video could not be converted: ${error.message}`, { cause: error })
  }
  const run = async (args: string[], hdr?: Hdr) => {
    try {
      return await explainToneMapping(hdr, () => ffmpeg.run({ ...bounds, args }))
    } catch (error) {
      throw explained(error)
    }
  }
  const hdr = await readHdr((args) => run([...input, ...args]))
  await run([...input, ...hlsArguments(facts, hdr), join(to, '%v.m3u8')], hdr)
  const thumbnail = join(to, THUMBNAIL)
  // After the last picture, as with a single one, ffmpeg succeeds and writes nothing.
  for (const at of [Math.min(THUMBNAIL_AT_SECONDS, facts.seconds / 2), 0]) {
    await run(['-ss', String(at), ...input, ...thumbnailArguments(hdr), thumbnail], hdr)
    if (existsSync(thumbnail)) return
  }
  throw new Error('the video could not be converted: it has no picture')
}

const thumbnailArguments = (hdr: Hdr | undefined) =>
  `-map_metadata -1 -frames:v 1 -vf ${scaledTo(360, hdr)} -q:v 4`.split(' ')

function hlsArguments({ width, height, has_sound }: Facts, hdr: Hdr | undefined): string[] {
  const smaller = Math.min(width, height)
  const fitting = RENDITIONS.filter(({ side }, index) => index === 0 || side <= smaller)
  const each = fitting.map(
    ({ side, kilobits }, n) =>
      `-map 0:v:0 ${has_sound ? '-map 0:a:0 ' : ''}-filter:v:${n} ${scaledTo(Math.min(side, smaller), hdr)}` +
      ` -maxrate:v:${n} ${kilobits}k -bufsize:v:${n} ${2 * kilobits}k`,
  )
  const words = [
    `-map_metadata -1 -sn -dn`,
    ...each,
    // Without B-frames: players add the delay of their reordering to the duration.
    `-c:v libx264 -preset veryfast -crf 23 -bf 0 -pix_fmt yuv420p -fpsmax ${FRAMES_MAX_PER_SECOND}`,
    `-force_key_frames expr:gte(t,n_forced*${SEGMENT_SECONDS})`,
    ...(has_sound ? ['-c:a aac -b:a 96k -ac 2'] : []),
    `-f hls -hls_time ${SEGMENT_SECONDS} -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file`,
    `-master_pl_name ${MASTER_PLAYLIST} -var_stream_map`,
  ]
  const streams = fitting.map((_, n) => (has_sound ? `v:${n},a:${n}` : `v:${n}`))
  return [...words.join(' ').split(' '), streams.join(' ')]
}

/** The shorter side gets this length and the other follows; the codec needs even numbers. */
function scaledTo(side: number, hdr: Hdr | undefined): string {
  const even = 2 * Math.max(1, Math.round(side / 2))
  const scaled = `scale='if(gt(iw,ih),-2,${even})':'if(gt(iw,ih),${even},-2)'`
  return hdr ? `${scaled},${toneMapping(hdr)}` : scaled
}
