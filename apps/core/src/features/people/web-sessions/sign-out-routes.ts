import { cookieRulesOf, readSessionCookie, setSessionCookie } from '@tendon/access'
import { SignedOut } from '@tendon/contracts'
import { crossSite, publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { createSignInProvider } from '../../../platform/sign-in-provider.ts'
import { logoutTokenInvalid } from './errors.ts'
import { deleteProviderSessions, deleteWebSession } from './queries.ts'
import { originOf } from './web-origin.ts'

const MAX_FORM_BYTES = 32 * 1024

export const signOutRoutes: Routes = (app, { config }) => {
  const cookies = cookieRulesOf(config)
  const provider = createSignInProvider(config)

  app.post(
    '/auth/sign-out',
    {
      config: {
        access: publicAccess(),
        summary: 'Sign out of a web app',
        description:
          'Ends the session of the cookie. `location` is where the browser signs out at the identity provider.',
        refusals: [crossSite],
      },
      schema: { response: { 200: SignedOut } },
    },
    async (request, reply) => {
      const cookie = readSessionCookie(request, cookies)
      if (!cookie) return { location: null }
      await request.findPublic((tx) => deleteWebSession(tx, cookie.hash, cookie.app))
      setSessionCookie(reply, cookie.app, null, cookies.secure)
      // The session here has ended whether or not the provider can be asked.
      const location = await provider.signOutUrl(`${originOf(request, config)}/${cookie.app}/`).catch(() => null)
      return { location }
    },
  )

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post(
      '/auth/backchannel-logout',
      {
        config: {
          access: publicAccess(),
          summary: 'Receive a logout token from the identity provider (OpenID Connect Back-Channel Logout)',
          refusals: [logoutTokenInvalid],
        },
      },
      async (request, reply) => {
        const { logout_token } = (request.body ?? {}) as { logout_token?: string }
        const about = await provider.readLogoutToken(logout_token ?? '')
        if (!about) throw logoutTokenInvalid()
        await request.findPublic((tx) => deleteProviderSessions(tx, { issuer: config.issuer, ...about }))
        return reply.code(200).send('')
      },
    )
  })
}
