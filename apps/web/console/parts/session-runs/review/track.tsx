import type { RunTimeline } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { ReviewClock } from './clock.ts'
import { useClockMs } from './controls.tsx'
import type { Marker } from './markers.ts'
import type { Playback, Stretch } from './playback.ts'
import classes from './review.module.css'
import { timeText, useMarkerText } from './use-marker-text.ts'

interface TrackProps {
  clock: ReviewClock
  playback: Playback
  timeline: RunTimeline
  markers: readonly Marker[]
}

/** The run from left to right: exercises, repetitions, pauses, loading, pain. */
export function Track({ clock, playback, timeline, markers }: TrackProps) {
  const t = useTranslations('console.review')
  const textOf = useMarkerText()
  const ms = useClockMs(clock)
  const percent = (at: number) => `${(100 * at) / clock.duration}%`
  const block = (kind: string, { from_ms, to_ms }: Stretch, content: ReactNode = null) => (
    <span
      key={`${kind}${from_ms}`}
      data-kind={kind}
      style={{ left: percent(from_ms), width: percent(Math.max(0, to_ms - from_ms)) }}
    >
      {content}
    </span>
  )
  const pains = markers.filter((marker) => marker.kind === 'pain')
  const repetitions = timeline.exercises.flatMap((exercise) => exercise.repetitions)
  return (
    <div className={classes.track}>
      <div className={classes.lanes} aria-hidden="true">
        <div className={classes.lane}>
          {playback.spans.map((span) => block('exercise', span, span.exercise.exercise_name))}
        </div>
        <div className={classes.lane} data-thin>
          {repetitions.map(({ start_ms, end_ms, reached_target }) =>
            block(reached_target === false ? 'short' : 'repetition', { from_ms: start_ms, to_ms: end_ms }),
          )}
        </div>
        <div className={classes.lane} data-thin>
          {playback.pauses.map((stretch) => block('pause', stretch))}
          {playback.bufferings.map((stretch) => block('buffering', stretch))}
        </div>
      </div>
      <div className={classes.pains}>
        {pains.map((marker) => (
          <button
            type="button"
            key={marker.key}
            data-severe={marker.severity >= 7}
            style={{ left: percent(marker.at_ms) }}
            aria-label={`${timeText(marker.at_ms)} ${textOf(marker)}`}
            onClick={() => clock.seek(marker.at_ms)}
          >
            {marker.severity}
          </button>
        ))}
      </div>
      <span className={classes.needle} style={{ left: percent(ms) }} aria-hidden="true" />
      <input
        type="range"
        className={classes.slider}
        min={0}
        max={Math.round(clock.duration)}
        step={100}
        value={Math.round(ms)}
        aria-label={t('position')}
        aria-valuetext={timeText(ms)}
        onChange={(event) => clock.seek(Number(event.currentTarget.value))}
      />
      <div className={classes.legend} aria-hidden="true">
        {(['repetition', 'short', 'pause', 'buffering'] as const).map((kind) => (
          <span key={kind}>
            <i data-kind={kind} /> {t(`legend.${kind}`)}
          </span>
        ))}
        <span>
          <i data-kind="pain" /> {t('legend.pain')}
        </span>
      </div>
    </div>
  )
}
