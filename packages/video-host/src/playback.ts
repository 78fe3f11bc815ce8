import { BUNNY, MASTER_PLAYLIST, storedUrl } from './stored-url.ts'

export interface Playback {
  playlist: string
  poster: string
}

export const bunnyPlayback = (guid: string): Playback => ({
  playlist: `${BUNNY}${guid}/playlist.m3u8`,
  poster: `${BUNNY}${guid}/thumbnail.jpg`,
})

/** Where a render plays, as rows store it. Undefined for a host that no longer exists. */
export function renderPlayback(provider: string, reference: string): Playback | undefined {
  if (provider === 'bunny') return bunnyPlayback(reference)
  if (provider !== 'local') return undefined
  return { playlist: storedUrl(`${reference}/${MASTER_PLAYLIST}`), poster: storedUrl(`${reference}/poster.jpg`) }
}
