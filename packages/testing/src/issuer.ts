import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { portOf } from './port-of.ts'

export const TEST_AUDIENCE = 'tendon-api'

export interface TestIssuer {
  issuer: string
  jwksUrl: string
  privateKey: CryptoKey
  publicKey: CryptoKey
  /** A session token as the identity provider would sign it; claims and header can be changed. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>
  close(): Promise<void>
}

/** Creating an RSA key takes a tenth of a second: one key serves every issuer of a test run. */
let keys: Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> | undefined

/** A token issuer with a real key set served over HTTP. */
export async function startIssuer({ ownKey = false } = {}): Promise<TestIssuer> {
  const newKeys = () => generateKeyPair('RS256', { extractable: true })
  keys ??= newKeys()
  const { privateKey, publicKey } = await (ownKey ? newKeys() : keys)
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'RS256', use: 'sig' }] })
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(jwks))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${portOf(server)}`
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    privateKey,
    publicKey,
    sign: (claims, header = {}) =>
      new SignJWT({ iss: issuer, aud: TEST_AUDIENCE, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'test', ...header })
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
