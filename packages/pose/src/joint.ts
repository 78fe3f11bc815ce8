// The unfiltered angle of a joint in one frame, for drawing. Counting smooths and checks it first (sight.ts).
import { VALUES_PER_LANDMARK } from './codec.ts'
import { angleAt } from './directions.ts'
import { type Angle, landmarkIndex } from './landmarks.ts'

export interface Joint {
  degrees: number
  /** The visibility of its least visible point. */
  visibility: number
}

/** `landmarks`: 132 numbers of a frame, which begin at `offset`. */
export function jointOf(landmarks: ArrayLike<number>, [first, vertex, last]: Angle, offset = 0): Joint {
  const valueOf = (name: Angle[number], value: number) =>
    landmarks[offset + landmarkIndex(name) * VALUES_PER_LANDMARK + value] ?? 0
  const directions = [first, last].flatMap((end) => [0, 1, 2].map((axis) => valueOf(end, axis) - valueOf(vertex, axis)))
  return {
    degrees: angleAt(directions, 0),
    visibility: Math.min(...[first, vertex, last].map((point) => valueOf(point, 3))),
  }
}
