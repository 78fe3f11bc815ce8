export interface Answer<Body = Json> {
  status: number
  headers: Headers
  body: Body
  text: string
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface CallOptions {
  as?: { token: string }
  body?: unknown
  headers?: Record<string, string>
}
