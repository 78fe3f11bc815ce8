// What the camera saw of one side: the curve of the joint in space and in the picture, how well its points were seen, and how
// much the limbs changed their length. Limbs do not: where they seem to, the depth is wrong. The picture's own angle is right
// only when the camera stands to the side of the movement, which shows in limbs that keep their length in the picture.
import { type Curve, createCurve } from './curve.ts'
import { KEPT_VALUES } from './frames.ts'
import { createHistogram } from './histogram.ts'
import type { Side } from './landmarks.ts'
import { RADIAN_DEGREES } from './numbers.ts'

/** Below the wanted visibility points are still followed for a while, down to this share of it. */
const WEAK_SHARE = 0.6
/** Longer than this the joint is not hidden for a moment: it is not there. */
const AWAY_SECONDS = 2
/** In the picture limbs keep their length within this: the camera stands to the side. */
const SIDEWAYS_MAX_STRETCH = 1.25
/** The depth changes their length by more than this. */
const WRONG_DEPTH_STRETCH = 1.6

export interface Sight {
  curve: Curve
  /** Share of all frames that do not show the joint. */
  hidden: number
  /** Share of frames that show the joint well, and weakly, without the times when it was away. */
  good: number
  weak: number
  /** Mean visibility of the least visible point in frames that show the joint. */
  visibility: number
  /** Longest ÷ shortest length of a limb, of the limb that changes more. */
  stretch: number
  /** The angle is that of the picture. */
  in_picture: boolean
}

export interface GrowingSight {
  /** `values`: x, y, z and visibility of three points on either side. */
  push(seconds: number, own_seconds: number, values: Float32Array): void
  read(): Sight
}

export function createSight(side: Side, sign: number, minVisibility: number): GrowingSight {
  const first = side === 'left' ? 0 : KEPT_VALUES / 2
  const [space, picture] = [createCurve(sign), createCurve(sign)]
  /** Frames that the curve of the picture has not been given yet: it is seldom asked for. */
  const waiting: { seconds: number; own_seconds: number; directions: Float64Array }[] = []
  const lengths = [limb(), limb()]
  const widths = [limb(), limb()]
  const seen = { frames: 0, good: 0, weak: 0, visibility: 0 }
  /** Frames in a row without sight. */
  let hidden: { since: number; frames: number } | undefined
  let latest = 0
  let all = 0
  const [inSpace, inPicture] = [new Float64Array(6), new Float64Array(6)]
  const sizes = new Float64Array(4)

  return {
    push(seconds, own_seconds, values) {
      const value = (place: number) => values[first + place] ?? 0
      const visibility = Math.min(value(3), value(7), value(11), 1)
      seen.frames += 1
      latest = seconds
      all += 1
      if (visibility < WEAK_SHARE * minVisibility) {
        hidden ??= { since: seconds, frames: 0 }
        hidden.frames += 1
        return
      }
      if (hidden && seconds - hidden.since > AWAY_SECONDS) seen.frames -= hidden.frames
      hidden = undefined
      for (const [index, end] of ENDS.entries()) {
        const [x, y, z] = [value(end) - value(4), value(end + 1) - value(5), value(end + 2) - value(6)]
        const [length, across] = [Math.sqrt(x * x + y * y + z * z), Math.sqrt(x * x + y * y)]
        // Two points in one place have no direction.
        if (!(across > 0 && Number.isFinite(length))) return
        sizes[index * 2] = length
        sizes[index * 2 + 1] = across
        const [long, wide] = [RADIAN_DEGREES / length, RADIAN_DEGREES / across]
        inSpace.set([x * long, y * long, z * long], index * 3)
        inPicture.set([x * wide, y * wide], index * 3)
      }
      if (visibility >= minVisibility) seen.good += 1
      else seen.weak += 1
      seen.visibility += visibility
      for (let size = 0; size < sizes.length; size += 1)
        (size % 2 === 0 ? lengths : widths)[size >> 1]?.add(Math.log(sizes[size] ?? 1))
      space.push(seconds, own_seconds, inSpace)
      waiting.push({ seconds, own_seconds, directions: inPicture.slice() })
    },

    read() {
      const curve = space.read()
      const isAway = hidden && curve.seconds.length > 0 && latest - hidden.since > AWAY_SECONDS
      const frames = seen.frames - (isAway && hidden ? hidden.frames : 0)
      const [stretch, across] = [stretchOf(lengths), stretchOf(widths)]
      const in_picture = stretch > WRONG_DEPTH_STRETCH && across < SIDEWAYS_MAX_STRETCH
      if (in_picture) for (const one of waiting.splice(0)) picture.push(one.seconds, one.own_seconds, one.directions)
      const shown = seen.good + seen.weak
      return {
        curve: in_picture ? picture.read() : curve,
        hidden: all === 0 ? 1 : 1 - shown / all,
        good: seen.good / Math.max(1, frames),
        weak: seen.weak / Math.max(1, frames),
        visibility: shown === 0 ? 0 : seen.visibility / shown,
        stretch: in_picture ? across : stretch,
        in_picture,
      }
    },
  }
}

/** Where the two ends of the angle begin among the values of a side; its vertex lies between them. */
const ENDS = [0, 8] as const

/** Logarithms of lengths, in any unit. */
const limb = () => createHistogram(-12, 8, 2_000)

const stretchOf = (limbs: readonly ReturnType<typeof limb>[]): number =>
  Math.max(...limbs.map((one) => (one.count() === 0 ? 1 : Math.exp(one.quantile(0.95) - one.quantile(0.05)))))
