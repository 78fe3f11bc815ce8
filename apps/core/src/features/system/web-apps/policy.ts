import type { Config } from '@tendon/config'
import type { WebApp } from '@tendon/contracts'

/** AWS has a host for each bucket, except for buckets with a dot in their name (its certificate does not cover them). */
const awsUrl = ({ S3_BUCKET, S3_REGION }: Config) =>
  `https://${S3_BUCKET.includes('.') ? '' : `${S3_BUCKET}.`}s3.${S3_REGION}.amazonaws.com`

/** Other origins that a page may connect to: telemetry, the object store if it signs its own URLs, and the video host. */
function origins(config: Config): { connect: string[]; media: string[] } {
  const own = new URL(config.publicUrl).origin
  const foreign = (urls: string[]) => [...new Set(urls.map((url) => new URL(url).origin))].filter((url) => url !== own)
  const store = config.OBJECT_STORE === 's3' ? [config.S3_ENDPOINT ?? awsUrl(config)] : []
  const videoHost = config.VIDEO_HOST === 'bunny' && config.BUNNY_CDN_URL ? [config.BUNNY_CDN_URL] : []
  const media = [...store, config.composerUrl, ...videoHost]
  return { connect: foreign([config.telemetryUrl, ...media]), media: foreign(media) }
}

/** Headers of a page of an app. Only the portal uses the camera and WebAssembly. */
export function pageHeaders(app: WebApp, config: Config, nonce: string): Record<string, string> {
  const { connect, media } = origins(config)
  const sources = (...values: string[]) => values.join(' ')
  const directives = {
    'default-src': "'none'",
    'script-src': app === 'portal' ? "'self' 'wasm-unsafe-eval'" : "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': sources("'self'", 'data:', 'blob:', ...media),
    'media-src': sources("'self'", 'blob:', ...media),
    'font-src': "'self'",
    'connect-src': sources("'self'", ...connect),
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'default',
  }
  return {
    'content-security-policy': Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'permissions-policy': `camera=(${app === 'portal' ? 'self' : ''}), microphone=(), geolocation=(), payment=()`,
  }
}

/** A worker script carries a policy of its own: the page's. */
export const workerPolicy = (app: WebApp, config: Config): string =>
  pageHeaders(app, config, 'none')['content-security-policy'] ?? ''
