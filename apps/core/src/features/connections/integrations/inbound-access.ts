import { createHash, randomBytes } from 'node:crypto'
import type { InboundAccess } from '@tendon/contracts'

const TOKEN_BYTES = 32

export const inboundTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A new URL with its token and a new key: shown once, kept as a hash and sealed. */
export function newInboundAccess(publicUrl: string) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const signing_secret = `whsec_${randomBytes(TOKEN_BYTES).toString('base64')}`
  const shown: InboundAccess = { url: `${publicUrl}/v1/public/inbound/${token}`, signing_secret }
  return { shown, hash: inboundTokenHash(token), credentials: { signing_secret } }
}
