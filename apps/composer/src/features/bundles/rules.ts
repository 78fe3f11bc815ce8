import {
  type Bundle,
  type BundleFile,
  blocksPerVoice,
  type CompositionManifest,
  type ExerciseKind,
} from '@tendon/contracts'

export const SLOTS = [
  'intro',
  'pause',
  'outro',
  'rep-left',
  'rep-right',
  'pause-left',
  'pause-right',
  'pause-left-to-right',
  'pause-right-to-left',
] as const
const OPTIONAL = SLOTS.slice(5) as readonly string[]

const NAME = new RegExp(
  `^(?:(?:${SLOTS.join('|')})-video-[1-9]\\d{0,2}\\.mp4|audio/[a-z]{2,3}/(?:${SLOTS.join('|')})-vo-[1-9]\\d{0,2}\\.(?:mp3|vtt))$`,
)

/** `<slot>-video-<n>.mp4`, `audio/<language>/<slot>-vo-<n>.mp3` and its captions `.vtt`. */
export const isBundleFileName = (name: string): boolean => NAME.test(name)

/** Bad field → why. */
export function manifestProblems(
  manifest: CompositionManifest,
  { slug, kind: kindOfExercise }: { slug: string; kind: ExerciseKind },
): Record<string, string> {
  const { kind, exercise, laterality, reps_per_video_block: block, counts_per_audio_master: counts } = manifest
  const problems: Record<string, string> = {}
  if (exercise !== slug) problems.exercise = 'must be the slug in the URL'
  if (kind === 'reps_based' && kindOfExercise !== 'reps_based')
    problems.kind = `cannot be reps_based, because the exercise is ${kindOfExercise}, which is one finished video: upload that with POST /v1/exercises/{id}/video, or change the kind of the exercise`
  if (kind !== 'static' && laterality === undefined) problems.laterality = 'is missing'
  if (kind === 'static' && laterality !== undefined) problems.laterality = 'must be absent for static'
  if (kind === 'reps_based' && block === undefined) problems.reps_per_video_block = 'is missing'
  if (kind === 'reps_based' && counts === undefined) problems.counts_per_audio_master = 'is missing'
  if (block !== undefined && counts !== undefined && counts % block !== 0)
    problems.counts_per_audio_master = 'must be a multiple of reps_per_video_block'
  for (const name of ['hold_seconds', 'holds_per_video_block', 'max_holds'] as const) {
    if (kind === 'duration_based' && manifest[name] === undefined) problems[name] = 'is missing'
    if (kind !== 'duration_based' && manifest[name] !== undefined) problems[name] = `must be absent for ${kind}`
  }
  for (const name of ['reps_per_video_block', 'counts_per_audio_master'] as const)
    if (kind !== 'reps_based' && manifest[name] !== undefined) problems[name] = `must be absent for ${kind}`
  return problems
}

/** What the bundle has and lacks, by slot. */
export function slotsOf(
  manifest: CompositionManifest,
  files: readonly Pick<BundleFile, 'name' | 'duration_seconds'>[],
): Bundle['slots'] {
  if (manifest.kind !== 'reps_based') return []
  const names = files.map(({ name }) => name)
  /** A bilateral exercise is filmed from one side. */
  const isOtherSide = (slot: string) =>
    manifest.laterality === 'bilateral' &&
    slot.startsWith('rep-') &&
    names.some((name) => /^rep-(?:left|right)-video-/.test(name))
  return SLOTS.flatMap((slot) => {
    const numbers = (pattern: RegExp) =>
      names
        .flatMap((name) => pattern.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b)
    const variants = numbers(new RegExp(`^${slot}-video-(\\d+)\\.mp4$`))
    if (variants.length === 0 && (OPTIONAL.includes(slot) || isOtherSide(slot))) return []
    const silent = manifest.languages.filter(
      (language) => !names.some((name) => name.startsWith(`audio/${language}/${slot}-vo-`) && name.endsWith('.mp3')),
    )
    return [
      {
        slot,
        variants,
        problems: [
          ...(variants.length === 0 ? ['There is no video.'] : []),
          ...silent.map((language) => `There is no voice-over in ${language}.`),
        ],
        warnings: longVoices(manifest, slot, files),
      },
    ]
  })
}

/** Shorter differences are not heard: a track ends on a whole frame of sound. */
const TOLERANCE_SECONDS = 0.05

/** Voice-overs that last longer than what they are played over: any voice-over of a slot plays over any video of it. */
function longVoices(
  manifest: CompositionManifest,
  slot: string,
  files: readonly Pick<BundleFile, 'name' | 'duration_seconds'>[],
): string[] {
  const videos = files.flatMap(({ name, duration_seconds }) =>
    name.startsWith(`${slot}-video-`) && duration_seconds !== null ? [duration_seconds] : [],
  )
  if (videos.length === 0) return []
  const blocks = slot.startsWith('rep-') ? blocksPerVoice(manifest) : 1
  const room = blocks * Math.min(...videos)
  return files.flatMap(({ name, duration_seconds: seconds }) => {
    const [, ofSlot] = /^audio\/[a-z]+\/(.+)-vo-\d+\.mp3$/.exec(name) ?? []
    if (ofSlot !== slot || seconds === null || seconds <= room + TOLERANCE_SECONDS) return []
    const over = blocks > 1 ? `the ${blocks} blocks of video` : 'the video'
    return [`${name} lasts ${seconds.toFixed(1)} s, ${over} ${room.toFixed(1)} s: its end is cut off.`]
  })
}
