import { join } from 'node:path'
import { SEGMENT_SECONDS } from './profile.ts'

export interface Joined {
  form: 'hls' | 'mp4'
  folder: string
  /** One list of clips for each quality level, the lowest first. */
  lists: readonly string[]
  tracks: readonly { language: string; path: string }[]
}

const INPUT = ['-protocol_whitelist', 'file']
const CLEAN = ['-map_metadata', '-1', '-c', 'copy', '-fflags', '+bitexact']
const HLS =
  `-f hls -hls_time ${SEGMENT_SECONDS} -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file`.split(' ')

/** One run for all renditions; nothing is decoded or encoded. */
export function joinArguments({ form, folder, lists, tracks }: Joined): string[] {
  const pictures = lists.flatMap((list) => [...INPUT, '-f', 'concat', '-safe', '0', '-i', list])
  const sounds = tracks.flatMap(({ path }) => [...INPUT, '-f', 'aac', '-i', path])
  const sound = (n: number) => ['-map', `${lists.length + n}:a:0`, '-bsf:a', 'aac_adtstoasc']
  const picture = (n: number) => ['-map', `${n}:v:0`, '-video_track_timescale', '90000']
  if (form === 'mp4') {
    const both = [...picture(lists.length - 1), ...sound(0)]
    return [...pictures, ...sounds, ...both, ...CLEAN, '-movflags', '+faststart', join(folder, 'video.mp4')]
  }
  return [
    ...pictures,
    ...sounds,
    ...lists.flatMap((_, n) => [...picture(n), ...CLEAN, ...HLS, join(folder, `pictures-${n}.m3u8`)]),
    ...tracks.flatMap(({ language }, n) => [...sound(n), ...CLEAN, ...HLS, join(folder, `sound-${language}.m3u8`)]),
  ]
}
