import { Canvas, type Colour, type Point } from './canvas.ts'

// A figure that bends one joint, seen from the side or from the front. Lengths are fractions of its height.

export interface Movement {
  joint: 'knee' | 'hip' | 'ankle' | 'shoulder' | 'elbow'
  view: 'side' | 'front'
  /** Whether it sits on a chair at rest. */
  chair: boolean
  /** Both sides move, or the named one. */
  side: 'left' | 'right' | 'both'
}

export const WIDTH = 640
export const HEIGHT = 360

const PAPER: Colour = [246, 243, 236]
const FLOOR: Colour = [214, 208, 196]
const FAR: Colour = [150, 172, 178]
const NEAR: Colour = [38, 92, 106]
const MOVING: Colour = [226, 122, 46]
const SCALE = 250
const GROUND = 318
const CENTRE = WIDTH / 2
const THICK = 17
const PART = {
  head: 0.065,
  neck: 0.05,
  trunk: 0.32,
  upperArm: 0.17,
  forearm: 0.17,
  thigh: 0.24,
  shank: 0.24,
  foot: 0.09,
}

interface Limb {
  points: Point[]
  moving: boolean
  far: boolean
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
/** `degrees` from straight down, positive to the right. */
const below = ({ x, y }: Point, length: number, degrees: number): Point => ({
  x: x + length * Math.sin(radians(degrees)),
  y: y + length * Math.cos(radians(degrees)),
})

/** Draws the figure with its joint at this angle. */
export function drawFigure(canvas: Canvas, movement: Movement, degrees: number): void {
  canvas.paint(PAPER)
  canvas.line({ x: 40, y: GROUND + 12 }, { x: WIDTH - 40, y: GROUND + 12 }, 4, FLOOR)
  const { limbs, head } = movement.view === 'side' ? fromSide(movement, degrees) : fromFront(movement, degrees)
  if (movement.chair) drawChair(canvas)
  const place = ({ x, y }: Point): Point => ({ x: CENTRE + x * SCALE, y: GROUND + y * SCALE })
  for (const { points, moving, far } of limbs)
    for (const [n, to] of points.entries()) {
      const from = points[n - 1]
      if (from) canvas.line(place(from), place(to), THICK, moving ? MOVING : far ? FAR : NEAR)
    }
  canvas.disc(place(head), PART.head * SCALE, NEAR)
}

function drawChair(canvas: Canvas): void {
  const seat = { x: CENTRE - 0.2 * SCALE, y: GROUND - 0.2 * SCALE }
  canvas.line({ x: seat.x - 32, y: seat.y + 14 }, { x: seat.x + 34, y: seat.y + 14 }, 9, FLOOR)
  for (const x of [seat.x - 30, seat.x + 32]) canvas.line({ x, y: seat.y + 14 }, { x, y: GROUND + 10 }, 7, FLOOR)
  canvas.line({ x: seat.x - 34, y: seat.y + 14 }, { x: seat.x - 40, y: seat.y - 90 }, 7, FLOOR)
}

/** Facing right. Feet stay on the floor; a bent knee brings the hips back and the trunk forward. */
function fromSide({ joint, side }: Movement, degrees: number) {
  const bend = joint === 'knee' ? 180 - degrees : 6
  const rise = joint === 'ankle' ? Math.max(0, degrees - 108) : 0
  const heel = { x: 0, y: -0.02 - PART.foot * Math.sin(radians(rise)) }
  const toe = { x: PART.foot * Math.cos(radians(rise)), y: -0.02 }
  const ankle = { x: heel.x + 0.01, y: heel.y - 0.03 }
  const knee = {
    x: ankle.x + PART.shank * Math.sin(radians(bend * 0.42)),
    y: ankle.y - PART.shank * Math.cos(radians(bend * 0.42)),
  }
  const back = bend * 0.58
  const hip = { x: knee.x - PART.thigh * Math.sin(radians(back)), y: knee.y - PART.thigh * Math.cos(radians(back)) }
  const lean = joint === 'knee' ? bend * 0.35 : 2
  const shoulder = { x: hip.x + PART.trunk * Math.sin(radians(lean)), y: hip.y - PART.trunk * Math.cos(radians(lean)) }
  const head = {
    x: shoulder.x + (PART.neck + PART.head) * Math.sin(radians(lean * 0.6)),
    y: shoulder.y - (PART.neck + PART.head) * Math.cos(radians(lean * 0.6)),
  }
  const forward = joint === 'knee' ? Math.min(80, bend * 0.9) : 4
  const armAt = (elbowDegrees: number): Point[] => {
    const elbow = below(shoulder, PART.upperArm, forward)
    return [shoulder, elbow, below(elbow, PART.forearm, forward + 180 - elbowDegrees)]
  }
  const [still, moved] = [armAt(joint === 'knee' ? 175 : 168), armAt(joint === 'elbow' ? degrees : 168)]
  const rightIsNear = side !== 'left'
  const arms: Limb[] =
    joint === 'elbow'
      ? [
          { points: rightIsNear ? still : moved, moving: !rightIsNear, far: true },
          { points: rightIsNear ? moved : still, moving: rightIsNear, far: false },
        ]
      : [{ points: still, moving: false, far: false }]
  const leg = { points: [hip, knee, ankle, heel, toe], moving: joint === 'knee' || joint === 'ankle', far: false }
  const trunk = { points: [hip, shoulder], moving: false, far: false }
  const [first, ...rest] = arms
  const limbs = rest.length > 0 && first ? [first, leg, trunk, ...rest] : [leg, trunk, ...arms]
  return { limbs, head }
}

/** Facing the viewer, so its left is on the right of the picture. */
function fromFront({ joint, side }: Movement, degrees: number) {
  const moves = (which: 'left' | 'right') => side === 'both' || side === which
  const hipY = -(PART.thigh + PART.shank + 0.05)
  const shoulderY = hipY - PART.trunk
  const limbs: Limb[] = []
  for (const which of ['right', 'left'] as const) {
    const out = which === 'left' ? 1 : -1
    const open = joint === 'hip' && moves(which) ? 180 - degrees : 4
    const raise = joint === 'shoulder' && moves(which) ? degrees : 12
    const hip = { x: out * 0.06, y: hipY }
    const shoulder = { x: out * 0.11, y: shoulderY }
    const knee = below(hip, PART.thigh, out * open)
    const ankle = below(knee, PART.shank, out * open)
    const elbow = below(shoulder, PART.upperArm, out * raise)
    limbs.push(
      { points: [hip, knee, ankle, { x: ankle.x + out * 0.03, y: ankle.y + 0.03 }], moving: open > 4, far: false },
      { points: [shoulder, elbow, below(elbow, PART.forearm, out * raise)], moving: raise !== 12, far: false },
      { points: [{ x: 0, y: shoulderY }, shoulder, hip, { x: 0, y: hipY }], moving: false, far: false },
    )
  }
  limbs.push({
    points: [
      { x: 0, y: shoulderY },
      { x: 0, y: hipY },
    ],
    moving: false,
    far: false,
  })
  return { limbs, head: { x: 0, y: shoulderY - PART.neck - PART.head } }
}
