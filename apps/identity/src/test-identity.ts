// A provider on a free port with its own data folder, and the flows that tests use.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@tendon/testing'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { askForTokens, authorizationRequest, type Browser, createBrowser } from './browser.ts'
import { demoAccounts } from './demo-accounts.ts'
import { buildIdentity } from './identity.ts'

export const WEB = 'http://127.0.0.1:5173'
export const CALLBACK = `${WEB}/auth/callback`
export const AUDIENCE = 'tendon-api'

export async function startTestIdentity() {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const dataDir = await mkdtemp(join(tmpdir(), 'identity-'))
  const failures: Error[] = []

  async function start() {
    const started = await buildIdentity({
      host: '127.0.0.1',
      port,
      issuer,
      audience: AUDIENCE,
      dataDir,
      webOrigins: [WEB],
      accounts: demoAccounts,
      onError: (error) => failures.push(error),
    })
    await started.listen()
    return started
  }

  let identity = await start()
  return {
    issuer,
    dataDir,
    async restart() {
      await identity.close()
      identity = await start()
    },
    async stop() {
      await identity.close()
      await rm(dataDir, { recursive: true })
      assert.deepEqual(failures, [])
    },
    verify: (token: string) =>
      jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), {
        issuer,
        audience: AUDIENCE,
        algorithms: ['RS256'],
      }),
    openSignIn: (browser: Browser, parameters: Record<string, string> = {}) =>
      browser.visit(authorizationRequest(issuer, CALLBACK, parameters).url),
    /** Authorization code with PKCE, from the web app's request to the tokens; submits the form if a page appears. */
    async signIn(form: Record<string, string>, browser = createBrowser(), parameters: Record<string, string> = {}) {
      const request = authorizationRequest(issuer, CALLBACK, parameters)
      const page = await browser.visit(request.url)
      const { left } = page.left ? page : await browser.visit(page.at, form)
      assert.equal(`${left?.origin}${left?.pathname}`, CALLBACK)
      assert.equal(left?.searchParams.get('state'), request.state)
      const { status, tokens } = await askForTokens(issuer, {
        grant_type: 'authorization_code',
        code: left?.searchParams.get('code') ?? '',
        redirect_uri: CALLBACK,
        code_verifier: request.verifier,
      })
      assert.equal(status, 200)
      return tokens
    },
    refresh: (token: string) => askForTokens(issuer, { grant_type: 'refresh_token', refresh_token: token }),
  }
}

export type TestIdentity = Awaited<ReturnType<typeof startTestIdentity>>
