import type Hls from 'hls.js'
import hlsWorker from 'hls.js/dist/hls.worker.js?url'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { RunExercise } from '../run/player-state.ts'
import classes from './player.module.css'
import { type TellMedia, watchVideo } from './video-events.ts'

interface ExerciseVideoProps {
  exercise: RunExercise
  playing: boolean
  /** Called with media events while the exercise is the current one. */
  tell: TellMedia
  /** The preview has sound and captions; a set does not, because the voice counts. */
  withSound?: boolean
}

const isPlaylist = (url: string): boolean => new URL(url, location.href).pathname.endsWith('.m3u8')

/** The video of the exercise, repeated until the set ends. */
export function ExerciseVideo({ exercise, playing, tell, withSound = false }: ExerciseVideoProps) {
  const t = useTranslations('portal.run')
  const ref = useRef<HTMLVideoElement>(null)
  const telling = useRef(tell)
  const [failed, setFailed] = useState(false)
  const { video_url: url, video_thumbnail_url: poster, name } = exercise
  useEffect(() => {
    telling.current = tell
  })

  useEffect(() => {
    const video = ref.current
    if (!video || url === null) return undefined
    const ends = [watchVideo(video, (event, data) => telling.current(event, data))]
    let closed = false
    if (!isPlaylist(url)) video.src = url
    else
      void openPlaylist(video, url, (event, data) => telling.current(event, data)).then(
        (hls) => (closed ? hls?.destroy() : ends.push(() => hls?.destroy())),
        () => setFailed(true),
      )
    return () => {
      closed = true
      for (const end of ends) end()
      video.removeAttribute('src')
      video.load()
    }
  }, [url])

  useEffect(() => {
    const video = ref.current
    if (!video) return undefined
    const play = () => void video.play().catch(() => undefined)
    if (!playing) video.pause()
    else play()
    if (!playing) return undefined
    video.addEventListener('canplay', play)
    return () => video.removeEventListener('canplay', play)
  }, [playing])

  if (url === null || failed)
    return poster === null ? null : <img className={classes.video} src={poster} alt={t('videoOf', { name })} />
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are part of the stream; a film without them has no speech
    <video
      ref={ref}
      className={classes.video}
      poster={poster ?? undefined}
      aria-label={t('videoOf', { name })}
      muted={!withSound}
      controls={withSound}
      loop
      playsInline
      preload="auto"
      onError={() => setFailed(true)}
    />
  )
}

/** Loads hls.js with the first playlist. */
async function openPlaylist(video: HTMLVideoElement, url: string, tell: TellMedia): Promise<Hls | undefined> {
  const { default: Player } = await import('hls.js')
  if (!Player.isSupported()) {
    video.src = url
    return undefined
  }
  const hls = new Player({ workerPath: hlsWorker, capLevelToPlayerSize: true })
  let before: string | undefined
  hls.on(Player.Events.LEVEL_SWITCHED, (_event, { level }) => {
    const { height, bitrate } = hls.levels[level] ?? {}
    const quality = `${height ?? 0}p`
    if (before !== undefined && before !== quality)
      tell('quality_change', { previous_quality: before, new_quality: quality, bitrate: bitrate ?? 0, automatic: true })
    before = quality
  })
  hls.loadSource(url)
  hls.attachMedia(video)
  return hls
}
