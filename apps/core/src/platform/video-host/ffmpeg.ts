import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { type Facts, KINDER_PRIORITY, SIDE_MAX_PIXELS, VIDEO_MAX_SECONDS } from './look.ts'

// HLS of one file per rendition, in pieces by byte range, so that a video is a handful of objects; and one picture of it.

export const MASTER_PLAYLIST = 'master.m3u8'
export const THUMBNAIL = 'thumbnail.jpg'

export class ProgramMissing extends Error {
  override name = 'ProgramMissing'
}

/** By the shorter side, in pixels. A video that is smaller than the first is left at its own size. */
const RENDITIONS = [
  { side: 360, kilobits: 800 },
  { side: 720, kilobits: 2_500 },
]
const SEGMENT_SECONDS = 4
const FRAMES_MAX_PER_SECOND = 60
const THUMBNAIL_AT_SECONDS = 1
const CONVERT_MAX_MS = 60 * 60 * 1000
const COMPLAINT_MAX_CHARACTERS = 2_000
/** The environment holds secrets that a program has no use for. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin' }
const FORMATS: Readonly<Record<string, string>> = { 'video/webm': 'matroska' }

export interface Conversion {
  program: string
  from: string
  mime: string
  /** An empty folder. */
  to: string
  facts: Facts
  signal: AbortSignal
}

/** Throws `ProgramMissing` where there is no such program. */
export const checkProgram = (program: string, signal: AbortSignal): Promise<void> => run(program, ['-version'], signal)

/** What it made has a thumbnail, always. */
export async function convert({ program, from, mime, to, facts, signal }: Conversion): Promise<void> {
  // The format is said, not guessed, and nothing but files is opened: a file cannot lead the program elsewhere. What a header
  // says of the picture need not be so: the decoder has its own bound.
  const safe = ['-protocol_whitelist', 'file', '-max_pixels', String(SIDE_MAX_PIXELS ** 2)]
  const input = [...safe, '-f', FORMATS[mime] ?? 'mov', '-i', from]
  await run(program, [...input, ...hlsArguments(facts), join(to, '%v.m3u8')], signal)
  const thumbnail = join(to, THUMBNAIL)
  // Where the pictures end before that, as with a single one, the program ends well and has made nothing.
  for (const at of [Math.min(THUMBNAIL_AT_SECONDS, facts.seconds / 2), 0]) {
    await run(program, ['-ss', String(at), ...input, ...THUMBNAIL_ARGUMENTS, thumbnail], signal)
    if (existsSync(thumbnail)) return
  }
  throw new Error('the video could not be converted: no picture of it could be made')
}

const THUMBNAIL_ARGUMENTS = `-map_metadata -1 -frames:v 1 -vf ${scaledTo(360)} -q:v 4`.split(' ')

function hlsArguments({ width, height, has_sound }: Facts): string[] {
  const smaller = Math.min(width, height)
  const fitting = RENDITIONS.filter(({ side }, index) => index === 0 || side <= smaller)
  const each = fitting.map(
    ({ side, kilobits }, n) =>
      `-map 0:v:0 ${has_sound ? '-map 0:a:0 ' : ''}-filter:v:${n} ${scaledTo(Math.min(side, smaller))}` +
      ` -maxrate:v:${n} ${kilobits}k -bufsize:v:${n} ${2 * kilobits}k`,
  )
  const words = [
    `-t ${VIDEO_MAX_SECONDS} -map_metadata -1 -sn -dn`,
    ...each,
    `-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -fpsmax ${FRAMES_MAX_PER_SECOND}`,
    `-force_key_frames expr:gte(t,n_forced*${SEGMENT_SECONDS})`,
    ...(has_sound ? ['-c:a aac -b:a 96k -ac 2'] : []),
    `-f hls -hls_time ${SEGMENT_SECONDS} -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file`,
    `-master_pl_name ${MASTER_PLAYLIST} -var_stream_map`,
  ]
  const streams = fitting.map((_, n) => (has_sound ? `v:${n},a:${n}` : `v:${n}`))
  return [...words.join(' ').split(' '), streams.join(' ')]
}

/** The shorter side becomes this long, the other follows; both are even, as the codec wants it. */
function scaledTo(side: number): string {
  const even = 2 * Math.max(1, Math.round(side / 2))
  return `scale='if(gt(iw,ih),-2,${even})':'if(gt(iw,ih),${even},-2)'`
}

async function run(program: string, args: string[], signal: AbortSignal): Promise<void> {
  const child = spawn(program, ['-nostdin', '-hide_banner', '-v', 'error', '-y', ...args], {
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    timeout: CONVERT_MAX_MS,
    killSignal: 'SIGKILL',
  })
  if (child.pid !== undefined) setPriority(child.pid, KINDER_PRIORITY)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_MAX_CHARACTERS)
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`the video could not be converted: ${complaint}`)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new ProgramMissing(program) : error
  }
}
