import { createHash } from 'node:crypto'
import type { Config } from '@tendon/config'

const URL_SECONDS = 6 * 60 * 60

/**
 * `path` is `<guid>/<file>`. With BUNNY_TOKEN_KEY the URL is signed for the whole folder: a playlist names files in it. Null
 * without BUNNY_CDN_URL: the video was stored while VIDEO_HOST was bunny, and the settings no longer say where it plays.
 */
export function bunnyUrl(
  config: Pick<Config, 'BUNNY_CDN_URL' | 'BUNNY_TOKEN_KEY'>,
  path: string,
  now: Date,
): string | null {
  const { BUNNY_CDN_URL: base, BUNNY_TOKEN_KEY: key } = config
  if (base === undefined) return null
  if (key === '') return `${base}/${path}`
  const folder = `/${path.slice(0, path.lastIndexOf('/') + 1)}`
  const expires = Math.floor(now.getTime() / 1000) + URL_SECONDS
  const token = createHash('sha256').update(`${key}${folder}${expires}token_path=${folder}`).digest('base64url')
  return `${base}/bcdn_token=${token}&token_path=${encodeURIComponent(folder)}&expires=${expires}/${path}`
}
