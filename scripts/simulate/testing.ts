import type { TestCore } from '../../apps/core/src/testing/core.ts'
import type { TokenOf } from '../start/api.ts'

/** Signs everybody in at the test issuer, always as the same person. */
export const tokensOf =
  ({ issuer }: TestCore, known: { email: string; token: string }): TokenOf =>
  async (email) =>
    email === known.email ? known.token : issuer.sign({ sub: email, email, email_verified: true, name: email })
