export { openObjectStore } from './from-config.ts'
export { createFsStore, type FsStoreOptions } from './fs-store.ts'
export {
  type ByteRange,
  InvalidObjectRequest,
  type ObjectBody,
  ObjectExists,
  type ObjectStore,
  ObjectTooLarge,
  type PutOptions,
  RangeNotSatisfiable,
  type SignedUrlOptions,
  type StoredObject,
} from './port.ts'
export { attachmentDisposition, isObjectKey, SIGNED_URL_MAX_SECONDS } from './rules.ts'
export { createS3Store } from './s3-on-use.ts'
export type { S3StoreOptions } from './s3-store.ts'
export {
  SIGNED_URL_PATH,
  type SignedRequest,
  type SigningKey,
  type SigningPlace,
  signUrl,
  type Verdict,
  verifySignedUrl,
} from './signed-url.ts'
