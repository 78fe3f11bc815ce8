import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useTranslations } from 'use-intl'
import 'uplot/dist/uPlot.min.css'
import type { ReviewClock } from './clock.ts'
import type { Curve, FollowedJoint } from './curve.ts'
import type { Playback } from './playback.ts'
import classes from './review.module.css'
import { timeText } from './use-marker-text.ts'

interface AngleCurveProps {
  clock: ReviewClock
  curve: Curve
  joints: ReadonlyMap<string, FollowedJoint>
  playback: Playback
}

const HEIGHT = 200
const STEPS = 200

/** The joint angle over the run, on the same time scale as the track above it. A click seeks to that time. */
export function AngleCurve({ clock, curve, joints, playback }: AngleCurveProps) {
  const t = useTranslations('console.review')
  const ref = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const box = ref.current
    if (!box) return undefined
    const thresholds = (ms: number) => joints.get(playback.at(ms).exercise?.session_exercise_id ?? '')?.thresholds
    const plot = new uPlot(optionsOf(clock, box, thresholds, rangeOf(curve)), [curve.seconds, curve.degrees], box)
    const follow = () => {
      const ms = clock.ms()
      box.dataset.runMs = String(Math.round(ms))
      plot.setCursor({ left: plot.valToPos(ms / 1000, 'x'), top: plot.cursor.top ?? 10 }, false)
    }
    const sized = new ResizeObserver(() => {
      plot.setSize({ width: box.clientWidth, height: HEIGHT })
      follow()
    })
    sized.observe(box)
    const stop = clock.subscribe(follow)
    follow()
    return () => {
      stop()
      sized.disconnect()
      plot.destroy()
    }
  }, [clock, curve, joints, playback])

  return (
    <figure className={classes.figure}>
      <Text component="figcaption" size="sm" c="dimmed">
        {t('curve')}
      </Text>
      <div ref={ref} className={classes.curve} aria-hidden="true" />
    </figure>
  )
}

type Thresholds = (ms: number) => FollowedJoint['thresholds'] | undefined

function rangeOf({ degrees }: Curve): [number, number] {
  const seen = degrees.filter((one) => one !== null)
  if (seen.length === 0) return [0, 180]
  return [Math.max(0, Math.floor(Math.min(...seen) - 10)), Math.min(180, Math.ceil(Math.max(...seen) + 10))]
}

function optionsOf(
  clock: ReviewClock,
  box: HTMLElement,
  thresholds: Thresholds,
  range: [number, number],
): uPlot.Options {
  const style = getComputedStyle(box)
  const axis = { stroke: style.color, grid: { stroke: style.borderColor, width: 1 }, ticks: { show: false } }
  return {
    width: box.clientWidth,
    height: HEIGHT,
    padding: [8, 0, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      // The clock moves the cursor line; the mouse only seeks by clicks.
      bind: { mousemove: () => () => null, mouseenter: () => () => null, mouseleave: () => () => null },
    },
    scales: { x: { time: false, range: () => [0, clock.duration / 1000] }, y: { range } },
    axes: [
      { ...axis, size: 28, values: (_plot, seconds) => seconds.map((one) => timeText(one * 1000).replace(/\.0$/, '')) },
      { ...axis, size: 0, show: false },
    ],
    series: [{}, { stroke: style.accentColor, width: 2, spanGaps: false, points: { show: false } }],
    hooks: {
      ready: [
        (plot) =>
          plot.over.addEventListener('click', (event) =>
            clock.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x') * 1000),
          ),
      ],
      drawClear: [(plot) => drawThresholds(plot, thresholds, style.borderColor, style.color)],
    },
  }
}

/** Rest and working end, as far as the exercise lasts. */
function drawThresholds(plot: uPlot, thresholds: Thresholds, colour: string, text: string): void {
  const { ctx, bbox } = plot
  const { min = 0, max = 1 } = plot.scales.x ?? {}
  ctx.save()
  ctx.strokeStyle = colour
  ctx.setLineDash([4, 4])
  ctx.lineWidth = 2
  ctx.fillStyle = text
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`
  let named = ''
  for (let step = 0; step < STEPS; step += 1) {
    const from = (min ?? 0) + (((max ?? 1) - (min ?? 0)) * step) / STEPS
    const found = thresholds(from * 1000)
    if (!found) continue
    const name = `${found.up_degrees} ${found.down_degrees}`
    for (const degrees of [found.up_degrees, found.down_degrees]) {
      const y = plot.valToPos(degrees, 'y', true)
      if (name !== named) ctx.fillText(`${Math.round(degrees)}°`, plot.valToPos(from, 'x', true) + 4, y - 4)
      ctx.beginPath()
      ctx.moveTo(plot.valToPos(from, 'x', true), y)
      ctx.lineTo(plot.valToPos(from, 'x', true) + bbox.width / STEPS, y)
      ctx.stroke()
    }
    named = name
  }
  ctx.restore()
}
