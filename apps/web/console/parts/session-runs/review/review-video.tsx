import { Text } from '@mantine/core'
import hlsWorker from 'hls.js/dist/hls.worker.js?url'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import type { ReviewClock } from './clock.ts'
import type { Playback } from './playback.ts'
import classes from './review.module.css'

/** Maximum difference between video and clock while both play. */
const DRIFT_SECONDS = 0.25
const SAME_SECONDS = 0.005

/** The video that the patient saw, at the clock's time. */
export function ReviewVideo({ clock, playback }: { clock: ReviewClock; playback: Playback }) {
  const t = useTranslations('console.review')
  const exercise = useSyncExternalStore(clock.subscribe, () => playback.at(clock.ms()).exercise)
  if (!exercise) return <Text className={classes.nothing}>{t('noExercise')}</Text>
  return (
    <>
      <Text fw={600} className={classes.caption}>
        {exercise.exercise_name}
      </Text>
      {exercise.video_url === null ? (
        <Text className={classes.nothing}>{t('noVideo')}</Text>
      ) : (
        <Film key={exercise.session_exercise_id} url={exercise.video_url} clock={clock} playback={playback} />
      )}
    </>
  )
}

function Film({ url, clock, playback }: { url: string; clock: ReviewClock; playback: Playback }) {
  const t = useTranslations('console.review')
  const ref = useRef<HTMLVideoElement>(null)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    const video = ref.current
    if (!video) return undefined
    const closing = openVideo(video, url)
    const follow = () => put(video, clock, playback)
    const stop = clock.subscribe(follow)
    video.addEventListener('loadedmetadata', follow)
    follow()
    return () => {
      stop()
      video.removeEventListener('loadedmetadata', follow)
      closing()
    }
  }, [url, clock, playback])

  if (failed) return <Text className={classes.nothing}>{t('videoFailed')}</Text>
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- silent: the clock moves it
    <video
      ref={ref}
      className={classes.video}
      muted
      playsInline
      preload="auto"
      aria-label={t('video')}
      onError={() => setFailed(true)}
    />
  )
}

/** Seeks the video to the clock's time. */
function put(video: HTMLVideoElement, clock: ReviewClock, playback: Playback): void {
  const ms = clock.ms()
  const { position_seconds, playing } = playback.at(ms)
  video.dataset.runMs = String(Math.round(ms))
  const runs = clock.playing() && playing && clock.rate() > 0
  const off = Math.abs(video.currentTime - position_seconds)
  if (off > (runs ? DRIFT_SECONDS : SAME_SECONDS) && video.readyState > 0) video.currentTime = position_seconds
  if (runs) {
    video.playbackRate = clock.rate()
    if (video.paused) void video.play().catch(() => undefined)
  } else if (!video.paused) video.pause()
}

function openVideo(video: HTMLVideoElement, url: string): () => void {
  if (!new URL(url, location.href).pathname.endsWith('.m3u8')) {
    video.src = url
    return () => video.removeAttribute('src')
  }
  let closed = false
  let destroy = () => {}
  async function open(): Promise<void> {
    const { default: Player } = await import('hls.js')
    if (closed) return
    if (Player.isSupported()) {
      const hls = new Player({ workerPath: hlsWorker })
      destroy = () => hls.destroy()
      hls.loadSource(url)
      hls.attachMedia(video)
    } else video.src = url
  }
  void open()
  return () => {
    closed = true
    destroy()
  }
}
