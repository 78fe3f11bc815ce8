import { Canvas, type Colour, type Point } from './canvas.ts'
import { type Body, type Joint, type Movement, poseOf, type Side } from './pose.ts'

export const WIDTH = 640
export const HEIGHT = 360

const PAPER: Colour = [246, 243, 236]
const FLOOR: Colour = [214, 208, 196]
const CHAIR: Colour = [190, 178, 156]
const FAR: Colour = [150, 172, 178]
const NEAR: Colour = [38, 92, 106]
const MOVING: Colour = [226, 122, 46]
const WEIGHT: Colour = [62, 58, 54]
const SCALE = 250
const GROUND = 322
const CENTRE = WIDTH / 2
const THICK = 17
const HEAD = 0.065

const LIMBS: Readonly<Record<'arm' | 'leg', readonly Joint[]>> = {
  arm: ['shoulder', 'elbow', 'hand'],
  leg: ['hip', 'knee', 'ankle', 'heel', 'toe'],
}
const MOVED = { knee: 'leg', hip: 'leg', ankle: 'leg', shoulder: 'arm', elbow: 'arm' } as const

const place = ({ x, y }: Point): Point => ({ x: CENTRE + x * SCALE, y: GROUND + y * SCALE })

/** Draws the figure with its joint at this angle. */
export function drawFigure(canvas: Canvas, movement: Movement, degrees: number): void {
  const pose = poseOf(movement, degrees)
  canvas.paint(PAPER)
  canvas.line({ x: 40, y: GROUND + 9 }, { x: WIDTH - 40, y: GROUND + 9 }, 4, FLOOR)
  for (const [from, to] of pose.chair) canvas.line(place(from), place(to), 8, CHAIR)
  const draw = (points: readonly Point[], colour: Colour) => {
    for (const [n, to] of points.entries()) {
      const from = points[n - 1]
      if (from) canvas.line(place(from), place(to), THICK, colour)
    }
  }
  const moves = (side: Side) => movement.side === 'both' || movement.side === side
  const limb = (side: Side, name: keyof typeof LIMBS, still: Colour) => {
    const body: Body = pose[side]
    const isMoving = moves(side) && MOVED[movement.joint] === name
    draw(
      LIMBS[name].map((joint) => body[joint]),
      isMoving ? MOVING : still,
    )
    if (movement.with === 'weight' && name === 'arm' && moves(side)) canvas.disc(place(body.hand), 0.05 * SCALE, WEIGHT)
  }
  // From the side the right arm is near.
  const far = movement.view === 'side' ? FAR : NEAR
  limb('left', 'arm', far)
  for (const side of ['left', 'right'] as const) limb(side, 'leg', NEAR)
  const { left, right } = pose
  draw([left.hip, left.shoulder, right.shoulder, right.hip, left.hip], NEAR)
  draw([middle(left.shoulder, right.shoulder), middle(left.hip, right.hip)], NEAR)
  limb('right', 'arm', NEAR)
  canvas.disc(place(pose.head), HEAD * SCALE, NEAR)
}

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
