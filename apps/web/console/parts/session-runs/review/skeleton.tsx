import { CONNECTIONS, jointOf, LANDMARKS, landmarkIndex, VALUES_PER_FRAME, VALUES_PER_LANDMARK } from '@tendon/pose'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { ReviewClock } from './clock.ts'
import type { FollowedJoint } from './curve.ts'
import type { Playback } from './playback.ts'
import { frameAt, type ReplayFrames } from './replay.ts'
import classes from './review.module.css'

interface SkeletonProps {
  clock: ReviewClock
  replay: ReplayFrames
  playback: Playback
  joints: ReadonlyMap<string, FollowedJoint>
}

const LINES = CONNECTIONS.map(([from, to]) => [landmarkIndex(from), landmarkIndex(to)] as const)
const SIZE = { width: 480, height: 360 }
const MARGIN = 0.08
const HEAD = landmarkIndex('nose')

/** Draws the landmarks that the camera detected. */
export function Skeleton({ clock, replay, playback, joints }: SkeletonProps) {
  const t = useTranslations('console.review')
  const ref = useRef<HTMLCanvasElement>(null)
  const place = useMemo(() => placing(replay), [replay])

  useEffect(() => {
    const canvas = ref.current
    if (!canvas) return undefined
    const draw = () => {
      const ms = clock.ms()
      const frame = frameAt(replay, ms)
      canvas.dataset.runMs = String(Math.round(ms))
      canvas.dataset.frameMs = frame < 0 ? '' : String(replay.times[frame])
      const { exercise } = playback.at(ms)
      paint(canvas, replay, frame, place, exercise && joints.get(exercise.session_exercise_id))
    }
    draw()
    return clock.subscribe(draw)
  }, [clock, replay, playback, joints, place])

  return (
    <canvas ref={ref} className={classes.skeleton} {...SIZE} role="img" aria-label={t('skeleton')}>
      {t('skeleton')}
    </canvas>
  )
}

type Place = (x: number, y: number) => readonly [number, number]

/** Scales so that the whole replay fits into the picture. */
function placing({ times, landmarks }: ReplayFrames): Place {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (let at = 0; at < times.length * VALUES_PER_FRAME; at += VALUES_PER_LANDMARK) {
    if ((landmarks[at + 3] ?? 0) < 0.3) continue
    const [x, y] = [landmarks[at] ?? 0, landmarks[at + 1] ?? 0]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  const [wide, high] = [Math.max(0.01, box.right - box.left), Math.max(0.01, box.bottom - box.top)]
  const scale = (1 - 2 * MARGIN) * Math.min(SIZE.width / wide, SIZE.height / high)
  const [middle_x, middle_y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  return (x, y) => [SIZE.width / 2 + (x - middle_x) * scale, SIZE.height / 2 + (y - middle_y) * scale]
}

function paint(
  canvas: HTMLCanvasElement,
  { landmarks }: ReplayFrames,
  frame: number,
  place: Place,
  joint: FollowedJoint | undefined,
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const style = getComputedStyle(canvas)
  context.clearRect(0, 0, SIZE.width, SIZE.height)
  if (frame < 0) return
  const offset = frame * VALUES_PER_FRAME
  const point = (landmark: number) => {
    const at = offset + landmark * VALUES_PER_LANDMARK
    return place(landmarks[at] ?? 0, landmarks[at + 1] ?? 0)
  }
  context.lineCap = 'round'
  context.lineWidth = 5
  context.strokeStyle = style.color
  context.beginPath()
  for (const [from, to] of LINES) {
    context.moveTo(...point(from))
    context.lineTo(...point(to))
  }
  context.stroke()
  const [x, y] = point(HEAD)
  context.fillStyle = style.color
  context.beginPath()
  context.arc(x, y, 10, 0, 2 * Math.PI)
  context.fill()
  if (!joint) return
  const [first, vertex, last] = joint.angle.map((name) => point(LANDMARKS.indexOf(name)))
  if (!first || !vertex || !last) return
  context.strokeStyle = style.accentColor
  context.lineWidth = 8
  context.beginPath()
  context.moveTo(...first)
  context.lineTo(...vertex)
  context.lineTo(...last)
  context.stroke()
  context.font = '600 20px system-ui, sans-serif'
  context.fillText(`${Math.round(jointOf(landmarks, joint.angle, offset).degrees)}°`, vertex[0] + 14, vertex[1] - 8)
}
