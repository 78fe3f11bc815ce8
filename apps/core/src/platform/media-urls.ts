import type { Config } from '@tendon/config'
import { type ObjectStore, signUrl } from '@tendon/object-store'

// Videos and pictures of a clinic are its own, and an address that a browser opens carries no session. So rows hold no
// address of such a file but `object:<key>`, and whoever may read the row gets an address that is signed at that moment.
// A reader who forgets gives nothing away: `object:…` opens nowhere. An address of another host stays as it is.

const STORED = 'object:'
/** As long as a long session, with everything that a player asks for on the way. */
export const MEDIA_URL_SECONDS = 6 * 60 * 60
export const PLAYLIST_PATH = '/v1/public/videos/'
export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

const ADDRESSES = ['video_url', 'video_thumbnail_url', 'image_url'] as const

/** The services that a signature needs. */
export interface Signers {
  config: Config
  objects: ObjectStore
  now: () => Date
}

interface Media {
  video_url?: string | null
  video_thumbnail_url?: string | null
  image_url?: string | null
  instructions?: readonly { image_url: string | null }[]
}

export const storedUrl = (key: string): string => `${STORED}${key}`

/** The same row, with addresses to open: of an exercise, its summary, an instruction. All readers of such rows pass here. */
export async function playableUrls<Row extends Media>(signers: Signers, row: Row): Promise<Row> {
  if (!row.instructions && !ADDRESSES.some((name) => row[name]?.startsWith(STORED))) return row
  const opened: Media = {}
  for (const name of ADDRESSES) {
    const stored = row[name]
    if (stored?.startsWith(STORED)) opened[name] = await addressOf(signers, stored.slice(STORED.length))
  }
  if (row.instructions)
    opened.instructions = await Promise.all(row.instructions.map((one) => playableUrls(signers, one)))
  return { ...row, ...opened }
}

/** A playlist names other files, which need signatures too: the API gives it, wherever it lies (videos/playlist-routes.ts). */
export function addressOf({ config, objects, now }: Signers, key: string): Promise<string> {
  const options = { method: 'GET', expiresInSeconds: MEDIA_URL_SECONDS } as const
  if (!key.endsWith('.m3u8')) return objects.signedUrl(key, options)
  const place = {
    publicBaseUrl: config.publicUrl,
    signingKey: config.OBJECT_SIGNING_KEY,
    path: PLAYLIST_PATH,
    now: now(),
  }
  return Promise.resolve(signUrl(place, key, { ...options, contentType: PLAYLIST_TYPE }))
}
