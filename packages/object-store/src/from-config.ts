import { join } from 'node:path'
import type { Config } from '@tendon/config'
import { createFsStore } from './fs-store.ts'
import type { ObjectStore } from './port.ts'
import { createS3Store } from './s3-on-use.ts'

/** Opens the configured store: a folder or a bucket. */
export function openObjectStore(config: Config): ObjectStore {
  if (config.OBJECT_STORE === 'fs') {
    return createFsStore({
      root: join(config.DATA_DIR, 'objects'),
      publicBaseUrl: config.publicUrl,
      signingKey: config.OBJECT_SIGNING_KEY,
    })
  }
  return createS3Store({
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    ...(config.S3_ENDPOINT === undefined ? {} : { endpoint: config.S3_ENDPOINT }),
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    forcePathStyle: config.S3_ENDPOINT !== undefined,
  })
}
