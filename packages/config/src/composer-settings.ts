import * as parse from './parse.ts'

/** The composer of exercise videos, and the host of all videos. */
export const composerSettings = {
  COMPOSER_PORT: { parse: parse.port, default: '3003', about: 'Port of the composer' },
  COMPOSER_METRICS_PORT: { parse: parse.port, default: '9103', about: 'Port of the composer’s Prometheus metrics' },
  COMPOSER_WORKER_METRICS_PORT: {
    parse: parse.port,
    default: '9104',
    about: 'Port of the render worker’s Prometheus metrics',
  },
  COMPOSER_URL: {
    parse: parse.optional(parse.url),
    default: '',
    about: 'URL under which the core API reaches the composer; empty: http://HOST:COMPOSER_PORT',
  },
  COMPOSER_CACHE_DIR: {
    parse: parse.optional(parse.path),
    default: '',
    about: 'Folder of the render worker’s cache of converted clips; empty: DATA_DIR/composer',
  },
  COMPOSER_CACHE_GB: {
    parse: parse.integer(1, 100_000),
    default: '20',
    about: 'Size of that cache; the clips that were not used for the longest time are deleted first',
  },
  PATH: {
    parse: parse.text,
    default: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    about: 'Folders to search for ffmpeg when FFMPEG_PATH is empty or only a name',
  },
  VIDEO_HOST: {
    parse: parse.oneOf('embedded', 'bunny'),
    default: 'embedded',
    about: 'Where videos are stored and played from: the object store, or Bunny Stream',
  },
  VIDEO_HOST_BACKSTOP_SECONDS: {
    parse: parse.integer(1, 86_400),
    default: '900',
    about: 'How long the composer waits for the video host’s webhook before it asks the host',
  },
  WEBHOOK_SECRET: {
    parse: parse.text,
    default: '',
    about: 'Token that the video host’s webhook must carry; empty: every request is accepted',
  },
  WEBHOOK_OPEN: {
    parse: parse.oneOf('true', 'false'),
    default: 'false',
    about: 'true: the composer starts in production without WEBHOOK_SECRET',
  },
  BUNNY_API_URL: {
    parse: parse.url,
    default: 'https://video.bunnycdn.com',
    about: 'URL of the Bunny Stream API',
  },
  BUNNY_LIBRARY_ID: { parse: parse.text, default: '', about: 'Video library, with VIDEO_HOST=bunny' },
  BUNNY_API_KEY: { parse: parse.text, default: '', about: 'API key of the video library' },
  BUNNY_READ_ONLY_KEY: {
    parse: parse.text,
    default: '',
    about: 'Read-only key of the video library; when set, the signature of its webhooks is checked',
  },
  BUNNY_CDN_URL: {
    parse: parse.optional(parse.url),
    default: '',
    about: 'URL from which the videos of the library are played, such as https://vz-….b-cdn.net',
  },
  BUNNY_TOKEN_KEY: {
    parse: parse.text,
    default: '',
    about: 'Token authentication key of that URL; when set, playback URLs are signed',
  },
} as const
