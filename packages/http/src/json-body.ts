import type { FastifyInstance } from 'fastify'
import secureJson from 'secure-json-parse'
import { validationFailed } from './refusals.ts'

const JSON_MAX_DEPTH = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body and refuses what PostgreSQL or later code would choke on: bytes that are not UTF-8, NUL characters,
 * lone surrogates, `__proto__`, numbers without end, nesting deeper than any contract.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = secureJson.parse(utf8.decode(bytes), null, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw validationFailed({ fields: { body: 'is not valid JSON in UTF-8' } })
  }
  checkValue(value, [])
  return value
}

function checkValue(value: unknown, path: string[]): void {
  if (typeof value === 'string') {
    const problem = problemOfText(value)
    if (problem) throw refused(path, problem)
    return
  }
  // JSON.parse reads 1e999 as infinity, which JSON and PostgreSQL cannot write again.
  if (typeof value === 'number' && !Number.isFinite(value)) throw refused(path, 'is a number too large to store')
  if (typeof value !== 'object' || value === null) return
  if (path.length >= JSON_MAX_DEPTH) throw refused([], `is nested deeper than ${JSON_MAX_DEPTH} levels`)
  for (const key of Object.keys(value)) {
    if (problemOfText(key)) throw refused([], 'has a key with characters that cannot be stored')
    path.push(key)
    checkValue((value as Record<string, unknown>)[key], path)
    path.pop()
  }
}

const refused = (path: string[], problem: string) =>
  validationFailed({ fields: { [path.join('.') || 'body']: problem } })

/** What is wrong with a text from outside, or undefined. */
export function problemOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  if (!text.isWellFormed()) return 'must be well-formed Unicode (a surrogate stands alone)'
  return undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, kept for requests with an Idempotency-Key. */
    bodyBytes: Buffer | null
  }
}

export function acceptJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (request.headers['idempotency-key'] !== undefined) request.bodyBytes = bytes as Buffer
    try {
      done(null, parseJsonBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}
