import { CONNECTIONS, landmarkIndex } from '@tendon/pose'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Session } from '../run/session.ts'
import classes from './player.module.css'

const LINES = CONNECTIONS.map(([from, to]) => [landmarkIndex(from), landmarkIndex(to)] as const)

/** The mirrored camera picture with the detected skeleton. */
export function CameraPreview({ stream, points }: { stream: MediaStream; points: Session['points'] }) {
  const t = useTranslations('portal.run')
  const video = useRef<HTMLVideoElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const element = video.current
    if (!element) return undefined
    element.srcObject = stream
    void element.play().catch(() => undefined)
    return () => {
      element.srcObject = null
    }
  }, [stream])

  useEffect(() => points.listen((found) => draw(canvas.current, found)), [points])

  return (
    <div className={classes.camera}>
      <video ref={video} muted playsInline aria-label={t('cameraPicture')} />
      <canvas ref={canvas} width={480} height={360} aria-hidden="true" />
    </div>
  )
}

function draw(canvas: HTMLCanvasElement | null, points: Float32Array): void {
  const context = canvas?.getContext('2d')
  if (!canvas || !context) return
  const { width, height } = canvas
  context.clearRect(0, 0, width, height)
  if (points.length === 0) return
  context.lineWidth = 5
  context.lineCap = 'round'
  context.strokeStyle = '#3fe0ae'
  context.beginPath()
  for (const [from, to] of LINES) {
    context.moveTo((points[from * 2] ?? 0) * width, (points[from * 2 + 1] ?? 0) * height)
    context.lineTo((points[to * 2] ?? 0) * width, (points[to * 2 + 1] ?? 0) * height)
  }
  context.stroke()
}
