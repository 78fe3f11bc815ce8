import type { Render } from '@tendon/contracts'
import { signUrl } from '@tendon/object-store'
import { MEDIA_URL_SECONDS, openUrl, PLAYLIST_TYPE, renderPlayback, type Signers } from '@tendon/video-host'
import type { RenderRow } from './queries.ts'

export const PUBLIC_PATH = '/v1/public/renders/'

/** What the URL is signed for. */
export const playlistKey = (id: string) => `${id}/playlist.m3u8`

/** The render as the API shows it, with URLs that open. */
export async function presentRender(services: Signers, row: RenderRow): Promise<Render> {
  const { config, now } = services
  const { error_code: code, error_message: message, host_provider: provider, host_reference: reference, ...more } = row
  const { waiting_for, waiting_until, ...rest } = more
  const place = {
    publicBaseUrl: config.publicUrl,
    signingKey: config.OBJECT_SIGNING_KEY,
    path: PUBLIC_PATH,
    now: now(),
  }
  const options = { method: 'GET', expiresInSeconds: MEDIA_URL_SECONDS, contentType: PLAYLIST_TYPE } as const
  const plays = row.status === 'ready' && provider !== null && reference !== null
  const playback = plays ? renderPlayback(provider, reference) : undefined
  return {
    ...rest,
    seed: row.seed,
    playback_hls_url: signUrl(place, playlistKey(row.id), options),
    poster_url: playback ? await openUrl(services, playback.poster) : null,
    waiting: waitingOf({ waiting_for, waiting_until }),
    error: code === null ? null : { code, message: message ?? '' },
  }
}

/** What the render waits for; null when it runs or has ended. */
export const waitingOf = ({ waiting_for, waiting_until }: Pick<RenderRow, 'waiting_for' | 'waiting_until'>) =>
  waiting_for === null || waiting_until === null ? null : { for: waiting_for, until: waiting_until }
