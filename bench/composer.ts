import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { CompositionManifest, CompositionSet } from '@tendon/contracts'
import type { Ffmpeg } from '@tendon/video-host'
import { buildTimeline } from '../apps/composer/src/features/compositions/timeline-rules.ts'
import { openCache } from '../apps/composer/src/rendering/cache.ts'
import { render } from '../apps/composer/src/rendering/render.ts'
import { Report } from './report.ts'

const ROUNDS = 3
const MAX_SHORT = 1 / 8
const MAX_LONG = 1 / 100
const MAX_WARM_SECONDS = 2
const TICKS_PER_SECOND = 100
const SIZE = { width: 1280, height: 720 }
/** 18 seconds with one set of five. */
const CLIPS = { intro: 5, 'rep-left': 8, pause: 4, outro: 5 }
const MANIFEST: CompositionManifest = {
  manifest_version: 1,
  exercise: 'bench',
  kind: 'reps_based',
  languages: ['en'],
  laterality: 'bilateral',
  reps_per_video_block: 5,
  counts_per_audio_master: 5,
}

/** Processor seconds of this process and of all processes that it has waited for. */
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

async function measured(work: () => unknown): Promise<{ processor: number; wall: number }> {
  const [start, before] = [performance.now(), processorSeconds()]
  await work()
  return { processor: processorSeconds() - before, wall: (performance.now() - start) / 1000 }
}

/** Without bubblewrap, which does not wait for its child: the processor time of ffmpeg would not be counted. */
const plainFfmpeg = (): Ffmpeg => ({
  version: async () => 'ffmpeg',
  isolation: async () => ({ isolation: 'not_installed', complaint: '' }),
  async run({ args }) {
    const { stdout } = await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
    return stdout
  },
})

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Joining a composition from cached clips, compared with encoding it in one pass. */
export async function benchComposer(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-bench-composer-'))
  const ffmpeg = (words: string, to: string) => {
    mkdirSync(dirname(to), { recursive: true })
    execFileSync('ffmpeg', [...`-y -v error -nostdin ${words}`.split(' '), to])
  }
  const names = Object.entries(CLIPS).flatMap(([slot, seconds]) => {
    const [video, sound] = [`${slot}-video-1.mp4`, `audio/en/${slot}-vo-1.mp3`]
    const picture = `testsrc2=size=${SIZE.width}x${SIZE.height}:rate=30:duration=${seconds}`
    ffmpeg(
      `-f lavfi -i ${picture} -vf noise=alls=12:allf=t -c:v libx264 -preset ultrafast -pix_fmt yuv420p`,
      join(folder, video),
    )
    ffmpeg(`-f lavfi -i sine=duration=${seconds} -c:a libmp3lame -b:a 64k`, join(folder, sound))
    return [video, sound]
  })
  const files = new Map(
    names.map((name) => {
      const key = join(folder, name)
      return [
        name,
        { name, key, owner: 'platform', sha256: createHash('sha256').update(readFileSync(key)).digest('hex') },
      ]
    }),
  )
  const cache = await openCache(join(folder, 'cache'))
  const program = plainFfmpeg()
  const compose = async (sets: CompositionSet[]) => {
    const timeline = buildTimeline({ manifest: MANIFEST, names, language: 'en', sets, seed: 1 })
    const to = mkdtempSync(join(folder, 'made-'))
    const tools = {
      ffmpeg: program,
      cache,
      read: async ({ key }: { key: string }) => createReadStream(key),
      folder: to,
    }
    const plan = { timeline, language: 'en', files, ...SIZE, form: 'hls' as const }
    const { seconds } = await render(plan, { ...tools, signal: new AbortController().signal })
    rmSync(to, { recursive: true })
    return seconds
  }
  const short: CompositionSet[] = [{ side: 'left', reps: 5 }]
  const long = Array.from({ length: 17 }, (): CompositionSet => ({ side: 'left', reps: 20 }))
  const encode = () => {
    const inputs = ['intro', 'rep-left', 'outro'].map((slot) => `-i ${join(folder, `${slot}-video-1.mp4`)}`).join(' ')
    const concat = '-filter_complex [0:v][1:v][2:v]concat=n=3:v=1:a=0 -c:v libx264 -preset veryfast -crf 23 -threads 2'
    ffmpeg(`${inputs} ${concat}`, join(folder, 'encoded.mp4'))
  }
  const report = new Report()
  try {
    await compose(short)
    const longSeconds = await compose(long)
    const [shorts, longs, walls]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      const encoded = await measured(encode)
      const [warm, ten] = [await measured(() => compose(short)), await measured(() => compose(long))]
      shorts.push(warm.processor / encoded.processor)
      longs.push(ten.processor / (encoded.processor * (longSeconds / 18)))
      walls.push(warm.wall)
    }
    const line = (name: string, value: number, max: number) =>
      report.text(
        `${name.padEnd(64)} 1/${Math.round(1 / value)}  (at most 1/${1 / max}: ${value <= max ? 'met' : 'MISSED'})`,
      )
    line('warm composition of 18 s ÷ encoding it, processor time', median(shorts), MAX_SHORT)
    line(`warm composition of ${Math.round(longSeconds)} s ÷ encoding it (by proportion)`, median(longs), MAX_LONG)
    report.below('warm composition of 18 s, seconds on quiet cores', median(walls), MAX_WARM_SECONDS)
    report.print()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
