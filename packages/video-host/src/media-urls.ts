import type { Config } from '@tendon/config'
import { type ObjectStore, signUrl } from '@tendon/object-store'
import { bunnyUrl } from './bunny/urls.ts'
import { BUNNY, OBJECT, PLAYLIST_TYPE } from './stored-url.ts'

// Videos and pictures belong to a clinic, and a URL that a browser opens carries no session: it is signed for the reader.
// A handler that forgets to sign discloses nothing: `object:…` opens nowhere. A URL of another host stays as it is.

/** Longer than a session, with everything that a player loads during it. */
export const MEDIA_URL_SECONDS = 6 * 60 * 60
export const PLAYLIST_PATH = '/v1/public/videos/'

const FIELDS = ['video_url', 'video_thumbnail_url', 'image_url'] as const

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

/** The same row with URLs that open. Every reader of such rows calls it: exercises, their summaries, instructions. */
export async function playableUrls<Row extends Media>(signers: Signers, row: Row): Promise<Row> {
  if (!row.instructions && !FIELDS.some((name) => isStored(row[name]))) return row
  const opened: Media = {}
  for (const name of FIELDS) {
    const stored = row[name]
    if (isStored(stored)) opened[name] = await openUrl(signers, stored)
  }
  if (row.instructions)
    opened.instructions = await Promise.all(row.instructions.map((one) => playableUrls(signers, one)))
  return { ...row, ...opened }
}

const isStored = (url: string | null | undefined): url is string =>
  url?.startsWith(OBJECT) === true || url?.startsWith(BUNNY) === true

/** The signed URL of what a row stores; another URL stays as it is. Null when the settings of its host are missing. */
export async function openUrl(signers: Signers, stored: string): Promise<string | null> {
  if (stored.startsWith(BUNNY)) return bunnyUrl(signers.config, stored.slice(BUNNY.length), signers.now())
  return stored.startsWith(OBJECT) ? objectUrl(signers, stored.slice(OBJECT.length)) : stored
}

/** A playlist names other files, which need signatures too: the core API serves it (videos/playlist-routes.ts). */
export function objectUrl({ config, objects, now }: Signers, key: string): Promise<string> {
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
