import type { Json } from '../start/api.ts'

export interface Answer {
  status: number
  body: Json
  text: string
}

/** Who sends a request. */
export type Caller = 'admin' | 'patient' | 'visitor'

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  as: Caller
  body?: object
}

export type Call = (request: Request) => Promise<Answer>

/** Sends requests to a core; a caller has a token, a visitor has none. */
export function callerOf(url: string, tokens: Readonly<Record<Caller, string | undefined>>): Call {
  return async ({ method, path, as, body }) => {
    const token = tokens[as]
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), text }
  }
}

export async function succeeds(call: Call, request: Request): Promise<Json> {
  const { status, body, text } = await call(request)
  if (status >= 300) throw new Error(`${request.method} ${request.path} answered ${status}: ${text}`)
  return body
}
