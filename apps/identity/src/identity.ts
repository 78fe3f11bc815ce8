import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Account, createDirectory } from './accounts.ts'
import { noticePage } from './pages.ts'
import { createProvider, type ProviderConfig } from './provider.ts'
import { portInUse } from './refusals.ts'
import { createSignIn, sendPage } from './sign-in.ts'
import { loadSigningKey } from './signing-keys.ts'

const CLOSE_GRACE_MS = 1000

interface IdentityConfig extends ProviderConfig {
  host: string
  port: number
  /** Absolute; the signing key is kept in `identity/keys.json` under it. */
  dataDir: string
  accounts: readonly Account[]
  onError?: (error: Error) => void
}

export interface Identity {
  issuer: string
  listen(): Promise<void>
  close(): Promise<void>
}

export async function buildIdentity(config: IdentityConfig): Promise<Identity> {
  const { issuer, host, port, onError = () => {} } = config
  const directory = createDirectory(config.accounts)
  const provider = createProvider(config, await loadSigningKey(config.dataDir), directory)
  provider.on('server_error', (_ctx, error) => onError(error))

  const answerProtocol = provider.callback()
  const answerSignIn = createSignIn(provider, directory)

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url?.split('?')[0] ?? '/'
    if (path === '/') {
      const text =
        'For local use. "npm run token -- <e-mail>" prints a session token; these web apps may send people here to sign in:'
      sendPage(response, 200, noticePage('Sign-in', text, config.webOrigins))
    } else if (path.startsWith('/interaction/')) {
      await answerSignIn(request, response)
    } else {
      await answerProtocol(request, response)
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      onError(error)
      if (response.headersSent) response.destroy()
      else sendPage(response, 500, noticePage('This did not work', 'Go back to Tendon and try again.'))
    })
  })

  return {
    issuer,
    async listen() {
      server.listen({ host, port })
      await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EADDRINUSE' ? portInUse(host, port) : error
      })
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      // A browser may keep an idle connection open.
      setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS).unref()
      await closed
    },
  }
}
