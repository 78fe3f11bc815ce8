import { SAMPLES_PER_SECOND } from './profile.ts'

// Every voice-over gets the same loudness (EBU R128), by one constant gain that is measured first. The `loudnorm` filter is
// not used: it needs three seconds of sound, and voice-overs are often shorter; and where a peak leaves no room it changes
// the gain over time, so that the same voice pumps.

/** As heard from two loudspeakers. Common for speech on phones; broadcast uses −23, which is too soft for a small speaker. */
export const TARGET_LUFS = -16
/** Room noise of a recording without speech is not made loud. */
const MAX_GAIN_DB = 30
/** What `ebur128` reports for silence, and for less than the 400 ms that one measurement takes. */
const NOTHING_LUFS = -70
/** −1.5 dB below full scale: the AAC encoder overshoots a little. */
const LIMIT = 0.84

const MONO = `aformat=sample_rates=${SAMPLES_PER_SECOND}:channel_layouts=mono`
/** Repeats a short sound: its loudness stays the same, and becomes long enough to be measured. */
const REPEATED = `aloop=loop=9:size=${SAMPLES_PER_SECOND}`
const MEASURED = 'ebur128=metadata=1:dualmono=true,ametadata=mode=print:key=lavfi.r128.I:file=-'

/** Prints the loudness so far, every 100 ms. */
export const measureArguments = ({ repeated }: { repeated: boolean }): string[] =>
  `-map 0:a:0 -vn -af ${[MONO, ...(repeated ? [REPEATED] : []), MEASURED].join()} -f null -`.split(' ')

/** The loudness of the whole sound in LUFS; undefined when there is none, or it is too short. */
export function readLoudness(output: string): number | undefined {
  const [, last] = /.*lavfi\.r128\.I=(-?[\d.]+)/s.exec(output) ?? []
  const lufs = Number(last ?? Number.NaN)
  return lufs > NOTHING_LUFS ? lufs : undefined
}

/** Rounded, so that builds of ffmpeg which measure a little differently give the same sound. */
export function gainFor(lufs: number | undefined): number {
  if (lufs === undefined) return 0
  return Math.round(Math.min(MAX_GAIN_DB, TARGET_LUFS - lufs) * 10) / 10
}

/** Only peaks that would be cut off are limited. */
export const levelFilter = (gainDb: number): string =>
  `${MONO},volume=${gainDb.toFixed(1)}dB,alimiter=limit=${LIMIT}:attack=5:release=50:level=false`
