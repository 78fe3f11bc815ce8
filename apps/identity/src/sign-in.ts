import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { type Directory, subjectOf } from './accounts.ts'
import { CONTENT_SECURITY_POLICY, noticePage, signInPage } from './pages.ts'

const MAX_FORM_BYTES = 16 * 1024

/** The interaction pages under `/interaction/<id>`. */
export function createSignIn(provider: Provider, directory: Directory) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { prompt, params } = await provider.interactionDetails(request, response)
      if (prompt.name === 'consent') {
        await provider.interactionFinished(request, response, { consent: {} }, { mergeWithLastSubmission: true })
      } else if (request.method === 'POST') {
        await submit(request, response)
      } else {
        const hint = typeof params.login_hint === 'string' ? params.login_hint : ''
        sendPage(response, 200, signInPage({ accounts: directory.listed, email: hint }))
      }
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error
      const text = 'This sign-in has expired or was already used. Go back to Tendon and sign in again.'
      sendPage(response, 400, noticePage('Sign in again', text))
    }
  }

  async function submit(request: IncomingMessage, response: ServerResponse) {
    const form = await readForm(request)
    if (!form) return sendPage(response, 413, noticePage('Too much text', 'Go back and write less.'))
    if (form.has('cancel')) {
      const refusal = { error: 'access_denied', error_description: 'The sign-in was cancelled.' }
      return provider.interactionFinished(request, response, refusal, { mergeWithLastSubmission: false })
    }
    const email = form.get('email') ?? ''
    const name = form.get('name') ?? ''
    const account = directory.signIn(email, name)
    if (!account) {
      const problem = 'Write a whole e-mail address, such as name@clinic.example.'
      return sendPage(response, 400, signInPage({ accounts: directory.listed, email, name, problem }))
    }
    const login = { accountId: subjectOf(account.email) }
    return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > MAX_FORM_BYTES) return undefined
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cache-control': 'no-store',
    // An oversized form is not read to its end, so the connection cannot be reused.
    ...(status === 413 ? { connection: 'close' } : {}),
  })
  response.end(html)
}
