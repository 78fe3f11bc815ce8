import { type Hdr, toneMapping } from '@tendon/video-host'

/** In the name of every cached clip: raise it when an argument of the encoder changes. */
export const PROFILE_VERSION = 2

export const FRAMES_PER_SECOND = 30
export const SAMPLES_PER_SECOND = 48_000
export const SAMPLES_PER_SOUND_FRAME = 1_024
export const SEGMENT_SECONDS = 4

export const CLIP_MAX_SECONDS = 120
/** A voice-over may count through a whole set. */
export const VOICE_MAX_SECONDS = 10 * 60
export const COMPOSITION_MAX_SECONDS = 30 * 60

/** By the shorter side, in pixels. */
const RUNGS = [
  { side: 360, kilobits: 800 },
  { side: 720, kilobits: 2_500 },
  { side: 1_080, kilobits: 4_500 },
]

export interface Rung {
  width: number
  height: number
  kilobits: number
}

/** The quality levels of a video of this size: never above it, and at least one. */
export function rungsFor(width: number, height: number): Rung[] {
  const shorter = Math.min(width, height)
  const fitting = RUNGS.filter(({ side }, n) => n === 0 || side <= shorter)
  return fitting.map(({ side, kilobits }) => {
    const scale = Math.min(1, side / shorter)
    return { width: even(width * scale), height: even(height * scale), kilobits }
  })
}

const even = (pixels: number) => 2 * Math.max(1, Math.round(pixels / 2))

/**
 * One decode for all quality levels; every clip of a level has the same decoder setup, so that they join as they are. HDR is
 * mapped after scaling, because it takes long and needs four bytes per value.
 */
export function pictureArguments({ width, height, kilobits }: Rung, hdr: Hdr | undefined, to: string): string[] {
  const colours = hdr ? `,${toneMapping(hdr)}` : ':out_color_matrix=bt709:out_range=tv'
  const filter =
    `fps=${FRAMES_PER_SECOND},scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2` +
    `${colours},pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`
  const words =
    `-map 0:v:0 -an -sn -dn -map_metadata -1 -map_chapters -1 -vf ${filter} -c:v libx264 -preset veryfast` +
    ` -profile:v high -crf 23 -maxrate ${kilobits}k -bufsize ${2 * kilobits}k -bf 0 -g 60 -keyint_min 60 -sc_threshold 0` +
    ` -color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv -threads 2` +
    ` -video_track_timescale 90000 -flags:v +bitexact+cgop -fflags +bitexact -f mp4`
  return [...words.split(' '), to]
}

export const SOUND_ARGUMENTS =
  `-map 0:a:0 -vn -map_metadata -1 -ac 1 -ar ${SAMPLES_PER_SECOND} -c:a aac -b:a 64k -threads 1 -fflags +bitexact -f adts`.split(
    ' ',
  )
