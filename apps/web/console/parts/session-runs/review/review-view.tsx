import { Paper, Stack, Text, Title } from '@mantine/core'
import type { PoseConfig, RunTimeline } from '@tendon/sdk'
import { useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { AngleCurve } from './angle-curve.tsx'
import { createClock } from './clock.ts'
import { Controls } from './controls.tsx'
import { curveOf, jointFor } from './curve.ts'
import { EventList } from './event-list.tsx'
import { markersOf } from './markers.ts'
import { durationOf, playbackOf } from './playback.ts'
import { Repetitions } from './repetitions.tsx'
import type { ReplayFrames } from './replay.ts'
import classes from './review.module.css'
import { ReviewVideo } from './review-video.tsx'
import { Skeleton } from './skeleton.tsx'
import { Track } from './track.tsx'
import { useReviewKeys } from './use-review-keys.ts'

interface ReviewViewProps {
  timeline: RunTimeline
  replay: ReplayFrames | undefined
  replayState: 'none' | 'loading' | 'ready' | 'failed'
  configs: ReadonlyMap<string, PoseConfig>
}

/** Video, skeleton, curve and list of events, on one clock. */
export function ReviewView({ timeline, replay, replayState, configs }: ReviewViewProps) {
  const t = useTranslations('console.review')
  const playback = useMemo(() => playbackOf(timeline), [timeline])
  const markers = useMemo(() => markersOf(timeline, playback), [timeline, playback])
  const [clock] = useState(() => createClock(durationOf(timeline)))
  const joints = useMemo(
    () =>
      new Map(
        timeline.exercises.flatMap((exercise) =>
          replay
            ? [
                [
                  exercise.session_exercise_id,
                  jointFor(exercise, configs.get(exercise.exercise_id), replay, playback.spans),
                ] as const,
              ]
            : [],
        ),
      ),
    [timeline, replay, configs, playback],
  )
  const curve = useMemo(() => replay && curveOf(replay, playback.spans, joints), [replay, playback, joints])
  useEffect(() => () => clock.close(), [clock])
  useReviewKeys(clock, markers)

  const noReplay = <Text className={classes.nothing}>{t(`replay.${replayState}`)}</Text>
  return (
    <Stack gap="md">
      <div className={classes.pictures}>
        <Paper withBorder component="section" aria-label={t('video')} className={classes.picture}>
          <ReviewVideo clock={clock} playback={playback} />
        </Paper>
        <Paper withBorder component="section" aria-label={t('skeleton')} className={classes.picture}>
          {replay ? <Skeleton clock={clock} replay={replay} playback={playback} joints={joints} /> : noReplay}
        </Paper>
      </div>
      <Paper withBorder p="sm" component="section" aria-label={t('timeline')}>
        <Controls clock={clock} markers={markers} />
        <Track clock={clock} playback={playback} timeline={timeline} markers={markers} />
        {curve && <AngleCurve clock={clock} curve={curve} joints={joints} playback={playback} />}
      </Paper>
      <div className={classes.lists}>
        <section aria-labelledby="review-events">
          <Title order={2} id="review-events" mb="sm">
            {t('happened')}
          </Title>
          <EventList clock={clock} markers={markers} />
        </section>
        <section aria-labelledby="review-repetitions">
          <Title order={2} id="review-repetitions" mb="sm">
            {t('repetitions')}
          </Title>
          <Repetitions clock={clock} timeline={timeline} />
        </section>
      </div>
    </Stack>
  )
}
