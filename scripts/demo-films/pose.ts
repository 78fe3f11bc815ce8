import type { Point } from './canvas.ts'

// The pose of a figure that bends one joint, seen from the side or from the front. Lengths are fractions of its height; the
// floor is at y = 0, and up is negative.

export interface Movement {
  joint: 'knee' | 'hip' | 'ankle' | 'shoulder' | 'elbow'
  view: 'side' | 'front'
  /** What the text of the exercise names: a seat to stand up from, a chair to hold on to, a weight in the hand. */
  with?: 'seat' | 'support' | 'weight'
  /** Both sides move, or the named one. */
  side: 'left' | 'right' | 'both'
}

export type Side = 'left' | 'right'
export const JOINTS = ['shoulder', 'elbow', 'hand', 'hip', 'knee', 'ankle', 'heel', 'toe'] as const
export type Joint = (typeof JOINTS)[number]
export type Body = Record<Joint, Point>

export interface Pose {
  left: Body
  right: Body
  head: Point
  /** Lines of a chair. */
  chair: [Point, Point][]
}

const LENGTH = { head: 0.065, neck: 0.05, trunk: 0.32, arm: 0.17, thigh: 0.24, shank: 0.24, foot: 0.09 }
const SHOULDER_OUT = 0.11
const HIP_OUT = 0.06
/** Shoulders are wider than hips: from the front the line between them is not vertical. */
export const SPLAY_DEGREES = degreesOf(Math.atan2(SHOULDER_OUT - HIP_OUT, LENGTH.trunk))
/** Knees of somebody who sits with level thighs and the feet a little behind the knees. */
export const SEATED_DEGREES = 80
const FLAT_FOOT_DEGREES = 108
const HEEL = { x: -0.01, y: 0.03 }
const TOE = { x: LENGTH.foot - 0.01, y: 0.03 }

export function poseOf(movement: Movement, degrees: number): Pose {
  return movement.view === 'side' ? fromSide(movement, degrees) : fromFront(movement, degrees)
}

/** The angle at the middle point, in degrees. */
export function angleAt(a: Point, middle: Point, b: Point): number {
  const between = Math.atan2(a.y - middle.y, a.x - middle.x) - Math.atan2(b.y - middle.y, b.x - middle.x)
  const degrees = Math.abs(degreesOf(between))
  return degrees > 180 ? 360 - degrees : degrees
}

function degreesOf(radians: number): number {
  return (radians * 180) / Math.PI
}
const radians = (degrees: number) => (degrees * Math.PI) / 180
const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y })
/** `degrees` from straight down, positive to the right. */
const below = ({ x, y }: Point, length: number, degrees: number): Point => ({
  x: x + length * Math.sin(radians(degrees)),
  y: y + length * Math.cos(radians(degrees)),
})
const turned = ({ x, y }: Point, degrees: number): Point => {
  const [sin, cos] = [Math.sin(radians(degrees)), Math.cos(radians(degrees))]
  return { x: x * cos - y * sin, y: x * sin + y * cos }
}

/** The elbow of an arm that reaches for a point; `turn` is the side to which it bends. */
function elbowBetween(shoulder: Point, hand: Point, turn: 1 | -1): Point {
  const [dx, dy] = [hand.x - shoulder.x, hand.y - shoulder.y]
  const apart = Math.min(Math.hypot(dx, dy), 2 * LENGTH.arm)
  const off = turn * Math.sqrt(LENGTH.arm ** 2 - (apart / 2) ** 2)
  return {
    x: shoulder.x + dx / 2 + (dy / apart) * off,
    y: shoulder.y + dy / 2 - (dx / apart) * off,
  }
}

/** Facing right. */
function fromSide({ joint, side, with: thing }: Movement, degrees: number): Pose {
  const legs = thing === 'seat' ? sitting(degrees) : joint === 'knee' ? squatting(degrees) : standing(joint, degrees)
  const { hip, lean } = legs
  const shoulder = below(hip, LENGTH.trunk, 180 - lean)
  const head = below(shoulder, LENGTH.neck + LENGTH.head, 180 - lean * 0.6)
  const hanging = (forward: number, elbowDegrees: number) => {
    const elbow = below(shoulder, LENGTH.arm, forward)
    return { shoulder, elbow, hand: below(elbow, LENGTH.arm, forward + 180 - elbowDegrees) }
  }
  const still = hanging(4, 168)
  if (thing === 'support') {
    const chair = chairBehind(standing(joint, FLAT_FOOT_DEGREES).hip)
    const hand = chair.hand
    const arm = { shoulder, elbow: elbowBetween(shoulder, hand, -1), hand }
    return { left: { ...arm, ...legs }, right: { ...arm, ...legs }, head, chair: chair.lines }
  }
  if (joint === 'elbow') {
    const moved = hanging(2, degrees)
    const armOf = (which: Side) => (side === 'both' || side === which ? moved : still)
    return { left: { ...armOf('left'), ...legs }, right: { ...armOf('right'), ...legs }, head, chair: [] }
  }
  // Arms go forward as the hips go back, for balance.
  const arm = joint === 'knee' ? hanging(Math.min(80, 180 - degrees), 175) : still
  const chair = thing === 'seat' ? seatBelow(sitting(SEATED_DEGREES).hip) : []
  return { left: { ...arm, ...legs }, right: { ...arm, ...legs }, head, chair }
}

type Legs = Pick<Body, 'hip' | 'knee' | 'ankle' | 'heel' | 'toe'> & { lean: number }

/** `shank` and `thigh` are degrees from vertical: the knee goes forward, the hip back. */
function legsOf(ankle: Point, shank: number, thigh: number, lean: number, foot = 0): Legs {
  const knee = below(ankle, LENGTH.shank, 180 - shank)
  const hip = below(knee, LENGTH.thigh, 180 + thigh)
  return { hip, knee, ankle, heel: plus(ankle, turned(HEEL, foot)), toe: plus(ankle, turned(TOE, foot)), lean }
}

const FLAT_ANKLE = { x: 0.01, y: -0.05 }

function squatting(degrees: number): Legs {
  const bend = 180 - degrees
  return legsOf(FLAT_ANKLE, bend * 0.42, bend * 0.58, bend * 0.35)
}

/** On the seat the thighs are level and the trunk is upright; between sitting and standing it leans forward. */
function sitting(degrees: number): Legs {
  const share = (180 - degrees) / (180 - SEATED_DEGREES)
  const shank = 10 * share + 14 * Math.sin(Math.PI * share)
  return legsOf(FLAT_ANKLE, shank, 180 - degrees - shank, 2 + 36 * Math.sin(Math.PI * share ** 2))
}

/** On the toes the foot turns about them. */
function standing(joint: Movement['joint'], degrees: number): Legs {
  const rise = joint === 'ankle' ? degrees - FLAT_FOOT_DEGREES : 0
  const ankle = plus(plus(FLAT_ANKLE, TOE), turned({ x: -TOE.x, y: -TOE.y }, rise))
  return legsOf(ankle, 2.5, 3.5, 2, rise)
}

function seatBelow(hip: Point): [Point, Point][] {
  const top = hip.y + 0.05
  const [back, front] = [hip.x - 0.12, hip.x + 0.12]
  return [
    [
      { x: back, y: top },
      { x: front, y: top },
    ],
    ...[back + 0.01, front - 0.01].map((x): [Point, Point] => [
      { x, y: top },
      { x, y: 0 },
    ]),
    [
      { x: back, y: top },
      { x: back - 0.03, y: top - 0.4 },
    ],
  ]
}

/** A chair in front of the figure, which stands behind its back. */
function chairBehind(hip: Point): { hand: Point; lines: [Point, Point][] } {
  const hand = { x: hip.x + 0.2, y: hip.y - 0.1 }
  const seat = -0.27
  return {
    hand,
    lines: [
      [hand, { x: hand.x + 0.03, y: seat }],
      [
        { x: hand.x + 0.03, y: seat },
        { x: hand.x + 0.26, y: seat },
      ],
      [
        { x: hand.x + 0.04, y: seat },
        { x: hand.x + 0.04, y: 0 },
      ],
      [
        { x: hand.x + 0.25, y: seat },
        { x: hand.x + 0.25, y: 0 },
      ],
    ],
  }
}

/** Facing the viewer, so its left is on the right of the picture. */
function fromFront({ joint, side, with: thing }: Movement, degrees: number): Pose {
  const moves = (which: Side) => side === 'both' || side === which
  const hipY = -(LENGTH.thigh + LENGTH.shank + 0.05)
  const bodyOf = (which: Side): Body => {
    const out = which === 'left' ? 1 : -1
    const open = joint === 'hip' && moves(which) ? 180 - SPLAY_DEGREES - degrees : 2
    const raise = joint === 'shoulder' && moves(which) ? degrees - SPLAY_DEGREES : 12
    const hip = { x: out * HIP_OUT, y: hipY }
    const shoulder = { x: out * SHOULDER_OUT, y: hipY - LENGTH.trunk }
    const knee = below(hip, LENGTH.thigh, out * open)
    const ankle = below(knee, LENGTH.shank, out * open)
    const foot = { x: ankle.x + out * 0.03, y: ankle.y + 0.03 }
    const holds = thing === 'support' && !moves(which)
    const hand = holds ? { x: out * 0.33, y: hipY - 0.08 } : undefined
    const elbow = hand ? elbowBetween(shoulder, hand, out === 1 ? -1 : 1) : below(shoulder, LENGTH.arm, out * raise)
    return {
      shoulder,
      elbow,
      hand: hand ?? below(elbow, LENGTH.arm, out * raise),
      hip,
      knee,
      ankle,
      heel: ankle,
      toe: foot,
    }
  }
  const [left, right] = [bodyOf('left'), bodyOf('right')]
  const held = thing === 'support' ? (moves('left') ? right.hand : left.hand) : undefined
  return {
    left,
    right,
    head: { x: 0, y: hipY - LENGTH.trunk - LENGTH.neck - LENGTH.head },
    chair: held ? chairBeside(held) : [],
  }
}

/** Seen from its back, which the hand holds. */
function chairBeside(hand: Point): [Point, Point][] {
  const [inner, outer] = hand.x > 0 ? [hand.x - 0.06, hand.x + 0.14] : [hand.x + 0.06, hand.x - 0.14]
  const seat = -0.27
  const across = (y: number): [Point, Point] => [
    { x: inner, y },
    { x: outer, y },
  ]
  return [
    across(hand.y),
    across(seat),
    ...[inner, outer].map((x): [Point, Point] => [
      { x, y: hand.y },
      { x, y: 0 },
    ]),
  ]
}
