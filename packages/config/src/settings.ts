import { composerSettings } from './composer-settings.ts'
import * as parse from './parse.ts'
import { schedulingSettings } from './scheduling-settings.ts'
import { timeoutSettings } from './timeout-settings.ts'

// Every setting of every process: name, default, meaning. `docs/generated/config.md` is generated from this table. A
// `secret` default is for local use only: production refuses it.
export const settings = {
  NODE_ENV: {
    parse: parse.oneOf('development', 'test', 'production'),
    default: 'development',
    about: 'production refuses default secrets and the local identity provider',
  },
  DATA_DIR: {
    parse: parse.path,
    default: '.data',
    about: 'Folder for all local data: embedded PostgreSQL, files, keys',
  },
  LOG_LEVEL: {
    parse: parse.oneOf('silent', 'error', 'warn', 'info', 'debug', 'trace'),
    default: 'info',
    about: 'Log level (JSON lines on standard output)',
  },

  HOST: { parse: parse.text, default: '127.0.0.1', about: 'IP address that the servers listen on' },
  CORE_PORT: { parse: parse.port, default: '3000', about: 'Port of the core API' },
  MAIL_RECEIVER_PORT: { parse: parse.port, default: '2525', about: 'Port of the local mail server of npm start' },
  WEBHOOK_RECEIVER_PORT: { parse: parse.port, default: '3010', about: 'Port of the webhook receiver of npm start' },
  IDENTITY_PORT: { parse: parse.port, default: '3001', about: 'Port of the local identity provider' },
  TELEMETRY_PORT: { parse: parse.port, default: '3002', about: 'Port of the telemetry service' },
  CORE_METRICS_PORT: { parse: parse.port, default: '9100', about: 'Port of the core API’s Prometheus metrics' },
  TELEMETRY_METRICS_PORT: {
    parse: parse.port,
    default: '9102',
    about: 'Port of the telemetry service’s Prometheus metrics',
  },
  WORKER_METRICS_PORT: { parse: parse.port, default: '9101', about: 'Port of the worker’s Prometheus metrics' },
  PUBLIC_URL: {
    parse: parse.optional(parse.url),
    default: '',
    about: 'URL of the core API for browsers; empty: http://HOST:CORE_PORT',
  },
  TELEMETRY_URL: {
    parse: parse.optional(parse.url),
    default: '',
    about: 'URL of the telemetry service for browsers; empty: http://HOST:TELEMETRY_PORT',
  },
  WEB_ORIGINS: {
    parse: parse.list(parse.url),
    default: '',
    about: 'Origins of the web apps, which may sign people in and call telemetry; empty: PUBLIC_URL',
  },
  WEB_DIR: {
    parse: parse.path,
    default: 'apps/web/dist',
    about: 'Folder of the built web apps; `npm run build` writes it, the core API serves it',
  },
  WEB_HOSTS: {
    parse: parse.webHosts,
    default: '',
    about:
      'Hosts of the web apps, such as console=app.example,portal=my.example; empty: /console/, /portal/ and /platform/ of PUBLIC_URL',
  },
  TRUSTED_PROXIES: {
    parse: parse.list(parse.text),
    default: '',
    about: 'IP addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted',
  },

  DATABASE_URL: {
    parse: parse.optional(parse.urlLike('postgres://user:password@host:5432/tendon')),
    default: '',
    about: 'PostgreSQL 15 or newer; empty: the embedded PostgreSQL. Only migrations use its login',
    production: 'required',
  },
  DATABASE_PORT: { parse: parse.port, default: '5433', about: 'Port of the embedded PostgreSQL' },
  DATABASE_ROLE_SECRET: {
    parse: parse.secret,
    default: 'local-database-role-secret-do-not-use',
    about: 'Secret from which the passwords of the database logins are derived',
    secret: true,
  },
  DATABASE_POOL_SIZE: {
    parse: parse.integer(1, 500),
    default: '20',
    about: 'Connections in the restricted pool of one server',
  },
  DATABASE_PLATFORM_POOL_SIZE: {
    parse: parse.integer(1, 50),
    default: '4',
    about: 'Connections in the privileged pool of one server',
  },
  CALLER_CACHE_MS: {
    parse: parse.integer(0, 1_000),
    default: '1000',
    about:
      'How long a server caches the rights of a caller; a change of rights removes them earlier. 0 turns the cache off',
  },
  ...timeoutSettings,

  REDIS_URL: {
    parse: parse.optional(parse.urlLike('redis://host:6379')),
    default: '',
    about: 'Redis for rate limits shared by several servers; empty: memory of this server',
  },
  RATE_LIMIT_ENTRY_PER_MINUTE: {
    parse: parse.integer(1, 10_000_000),
    default: '600',
    about: 'Requests per minute and caller; without a valid token, per IP address',
  },
  RATE_LIMIT_ORGANIZATION_PER_MINUTE: {
    parse: parse.optional(parse.integer(1, 10_000_000)),
    default: '',
    about: 'Requests per minute and organization; empty: from its plan',
  },
  RATE_LIMIT_PUBLIC_RESOLVE_PER_MINUTE: {
    parse: parse.integer(1, 10_000_000),
    default: '30',
    about: 'Requests of the public_resolve policy per minute and IP address',
  },
  RATE_LIMIT_PUBLIC_BOOKING_PER_MINUTE: {
    parse: parse.integer(1, 10_000_000),
    default: '60',
    about: 'Requests of the public_booking policy per minute and IP address',
  },

  AUTH_ISSUER: {
    parse: parse.optional(parse.url),
    default: '',
    about: 'Issuer of session tokens; empty: the local identity provider',
    production: 'required',
  },
  AUTH_AUDIENCE: { parse: parse.text, default: 'tendon-api', about: 'Required audience of session tokens' },
  AUTH_CLIENT_ID: {
    parse: parse.text,
    default: 'tendon-web',
    about: 'Client at the identity provider with which the core API signs people in to the web apps',
  },
  AUTH_CLIENT_SECRET: {
    parse: parse.text,
    default: '',
    about: 'Secret of that client; empty: a public client (PKCE alone)',
  },
  AUTH_JWKS_URL: { parse: parse.optional(parse.url), default: '', about: 'Keys of the issuer; empty: <issuer>/jwks' },
  AUTH_ALGORITHMS: {
    parse: parse.list(parse.oneOf('RS256', 'ES256', 'EdDSA')),
    default: 'RS256,ES256,EdDSA',
    about: 'Accepted signature algorithms of session tokens',
  },

  KEYRING: {
    parse: parse.secret,
    default: 'local:bG9jYWwta2V5LWVuY3J5cHRpb24ta2V5LTMyYnl0ZXM=',
    about: 'Key-encryption keys as id:base64,id:base64; the first encrypts, all decrypt',
    secret: true,
  },
  BLIND_INDEX_KEY: {
    parse: parse.secret,
    default: 'local-blind-index-key-do-not-use',
    about:
      'Key of the fingerprints of identification numbers and suppressed e-mail addresses, and of unsubscribe links; after a change existing ones are not found',
    secret: true,
  },
  OBJECT_STORE: {
    parse: parse.oneOf('fs', 's3'),
    default: 'fs',
    about: 'Where files are stored: DATA_DIR, or an S3 bucket',
  },
  OBJECT_SIGNING_KEY: {
    parse: parse.secret,
    default: 'local-object-signing-key-do-not-use',
    about: 'Key that signs URLs of files in the fs store and of video playlists',
    secret: true,
  },
  S3_BUCKET: { parse: parse.text, default: '', about: 'Bucket, with OBJECT_STORE=s3' },
  S3_REGION: { parse: parse.text, default: 'eu-central-1', about: 'Region of the bucket' },
  S3_ENDPOINT: {
    parse: parse.optional(parse.url),
    default: '',
    about: 'URL of an S3-compatible store; empty: AWS',
  },
  S3_ACCESS_KEY_ID: { parse: parse.text, default: '', about: 'Access key of the bucket' },
  S3_SECRET_ACCESS_KEY: { parse: parse.text, default: '', about: 'Secret key of the bucket' },

  EXERCISE_VIDEO_MAX_MB: {
    parse: parse.integer(1, 4_000),
    default: '500',
    about: 'Maximum size of an exercise video',
  },
  EXERCISE_IMAGE_MAX_MB: {
    parse: parse.integer(1, 100),
    default: '5',
    about: 'Maximum size of an instruction image',
  },
  FFMPEG_PATH: {
    parse: parse.text,
    default: '',
    about: 'Program that creates HLS and thumbnails of videos; empty: an installed ffmpeg; none: no conversion',
  },
  ...composerSettings,
  ...schedulingSettings,

  RUN_TOKEN_KEYS: {
    parse: parse.secret,
    default: 'local:bG9jYWwtcnVuLXRva2VuLWtleS1kby1ub3QtdXNlISE=',
    about:
      'Keys of run tokens as id:base64,id:base64; the core API signs with the first, the telemetry service accepts all',
    secret: true,
  },
  TELEMETRY_LOG_DIR: {
    parse: parse.optional(parse.path),
    default: '',
    about: 'Folder of the telemetry service’s log, on a disk that survives a crash; empty: DATA_DIR/telemetry',
  },
  TELEMETRY_LOG_MAX_MB: {
    parse: parse.integer(256, 10_000_000),
    default: '20000',
    about: 'Maximum size of the telemetry service’s log; above it new data is refused until runs are finalised',
  },
  TELEMETRY_ORGANIZATION_POSE_PER_SECOND: {
    parse: parse.integer(1, 1_000_000),
    default: '1000',
    about: 'Pose batches per second and organization when its plan has no value',
  },
  TELEMETRY_ORGANIZATION_MEDIA_PER_SECOND: {
    parse: parse.integer(1, 1_000_000),
    default: '200',
    about: 'Media events and library views per second and organization when its plan has no value',
  },

  DNS_SERVERS: {
    parse: parse.list(parse.text),
    default: '',
    about: 'DNS servers for custom domains and outbound requests, as address or address:port; empty: the system’s',
  },
  OUTBOUND_ALLOW_PRIVATE: {
    parse: parse.oneOf('false', 'true'),
    default: 'false',
    about:
      'true: webhooks, connectors and mail servers may use http and private addresses, for local use; refused in production',
  },
  MAIL_SMTP_URL: {
    parse: parse.optional(parse.smtpUrl),
    default: '',
    about:
      'Mail server of last resort, as smtps://user:password@host:port (smtp: with STARTTLS); empty: local mails are kept for /dev/mails only, production needs a provider',
  },
  MAIL_FROM_ADDRESS: {
    parse: parse.text,
    default: 'no-reply@tendon.example',
    about: 'Sender of mails through MAIL_SMTP_URL',
  },
  MAIL_SNS_TOPIC_ARN: {
    parse: parse.text,
    default: '',
    about: 'Topic of Amazon SNS whose bounces and complaints /webhooks/mail/ses accepts; empty: none',
  },
  PROVIDER_HEALTH_CHECK_MINUTES: {
    parse: parse.integer(1, 60),
    default: '5',
    about: 'Minutes between health checks of the platform’s providers; 1 in production, 5 in staging',
  },
  RATE_LIMIT_INBOUND_PER_MINUTE: {
    parse: parse.integer(1, 10_000_000),
    default: '60',
    about: 'Messages to an inbound webhook per minute',
  },
  MANUFACTURER_NAME: {
    parse: parse.text,
    default: 'Tendon',
    about: 'Manufacturer on the device label (/v1/public/system-info)',
  },
  MANUFACTURER_ADDRESS: { parse: parse.text, default: '', about: 'Postal address of the manufacturer' },
  DEVICE_UDI: { parse: parse.text, default: '', about: 'Unique device identifier' },
} as const satisfies Record<string, Setting>

export interface Setting {
  parse: (text: string) => unknown
  default: string
  about: string
  secret?: true
  production?: 'required'
}

export type SettingName = keyof typeof settings
