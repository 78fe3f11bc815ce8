import type { TestCore } from '../../apps/core/src/testing.ts'
import type { TokenOf } from '../start/api.ts'

/** Everybody can sign in at the issuer of the tests, always as the same person. */
export const tokensOf =
  ({ issuer }: TestCore, known: { email: string; token: string }): TokenOf =>
  async (email) =>
    email === known.email ? known.token : issuer.sign({ sub: email, email, email_verified: true, name: email })
