import type { MediaEvent } from '@tendon/sdk'

export type TellMedia = (event: MediaEvent['event'], data?: MediaEvent['data']) => void

const MARKS = [25, 50, 75, 95] as const

/** Reports the playback of one video as telemetry's media events. Returns a function that stops it. */
export function watchVideo(video: HTMLVideoElement, tell: TellMedia): () => void {
  let playing = false
  let waitingSince: number | undefined
  let played = false
  let reached = 0
  const here = () => ({ position_seconds: Math.round(video.currentTime * 1000) / 1000 })

  const listeners: Partial<Record<keyof HTMLMediaElementEventMap, () => void>> = {
    waiting() {
      if (waitingSince !== undefined || video.seeking) return
      waitingSince = performance.now()
      tell('buffering_start', { ...here(), reason: played ? 'network' : 'initial' })
    },
    playing() {
      if (waitingSince !== undefined) {
        tell('buffering_end', { ...here(), duration_ms: Math.round(performance.now() - waitingSince) })
        waitingSince = undefined
      }
      if (!playing) tell('video_played', here())
      playing = true
      played = true
    },
    pause() {
      if (playing) tell('video_paused', here())
      playing = false
    },
    timeupdate() {
      const share = (video.currentTime / video.duration) * 100
      const mark = MARKS.find((one) => one > reached && share >= one)
      if (mark === undefined) return
      reached = mark
      tell(`watch_pct_${mark}`, { ...here(), watched_seconds: here().position_seconds })
    },
  }
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, listener)
  const hidden = () => tell(document.hidden ? 'page_hidden' : 'page_visible', here())
  document.addEventListener('visibilitychange', hidden)
  return () => {
    document.removeEventListener('visibilitychange', hidden)
    for (const [name, listener] of Object.entries(listeners)) video.removeEventListener(name, listener)
  }
}
