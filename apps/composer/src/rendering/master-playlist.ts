import { FRAMES_PER_SECOND } from './profile.ts'

interface PictureRendition {
  name: string
  width: number
  height: number
  codec: string
  /** The playlist that ffmpeg wrote. */
  playlist: string
}

interface SoundRendition {
  language: string
  name: string
  playlist: string
}

interface MasterOptions {
  pictures: readonly PictureRendition[]
  sounds: readonly SoundRendition[]
  captions: readonly { language: string; name: string }[]
  /** The language that plays when the viewer chose none. */
  language: string
}

interface Bandwidth {
  peak: number
  average: number
}

/** Seconds of all segments. */
export const secondsOf = (playlist: string): number =>
  [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].reduce((sum, [, seconds]) => sum + Number(seconds), 0)

function bandwidthOf(playlist: string): Bandwidth {
  const seconds = [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, value]) => Number(value))
  const bytes = [...playlist.matchAll(/^#EXT-X-BYTERANGE:(\d+)/gm)].map(([, value]) => Number(value))
  const peak = Math.max(...bytes.map((size, n) => (size * 8) / (seconds[n] ?? 1)))
  const total = seconds.reduce((sum, value) => sum + value, 0)
  return { peak, average: (bytes.reduce((sum, value) => sum + value, 0) * 8) / total }
}

export function masterPlaylist({ pictures, sounds, captions, language }: MasterOptions): string {
  const yes = (is: boolean) => (is ? 'YES' : 'NO')
  const media = (type: string, group: string, one: { language: string; name: string }, rest: string) =>
    `#EXT-X-MEDIA:TYPE=${type},GROUP-ID="${group}",NAME="${nameOf(one.language)}",LANGUAGE="${one.language}",${rest},URI="${one.name}"`
  const sound = sounds.map((one) =>
    media('AUDIO', 'sound', one, `DEFAULT=${yes(one.language === language)},AUTOSELECT=YES,CHANNELS="1"`),
  )
  const text = captions.map((one) => media('SUBTITLES', 'captions', one, 'DEFAULT=NO,AUTOSELECT=YES,FORCED=NO'))
  const loudest = Math.max(...sounds.map(({ playlist }) => bandwidthOf(playlist).peak))
  const streams = pictures.flatMap(({ name, width, height, codec, playlist }) => {
    const { peak, average } = bandwidthOf(playlist)
    const facts =
      `BANDWIDTH=${Math.ceil(peak + loudest)},AVERAGE-BANDWIDTH=${Math.ceil(average + loudest)},` +
      `RESOLUTION=${width}x${height},FRAME-RATE=${FRAMES_PER_SECOND.toFixed(3)},CODECS="${codec},mp4a.40.2",AUDIO="sound"`
    return [`#EXT-X-STREAM-INF:${facts}${captions.length > 0 ? ',SUBTITLES="captions"' : ''}`, name]
  })
  return `${['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...sound, ...text, ...streams].join('\n')}\n`
}

/** One segment: captions are small. */
export const captionsPlaylist = (name: string, seconds: number): string =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:${Math.ceil(seconds)}\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:${seconds.toFixed(3)},\n${name}\n#EXT-X-ENDLIST\n`

function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
}
