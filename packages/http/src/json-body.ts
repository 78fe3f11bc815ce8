import type { FastifyInstance } from 'fastify'
import secureJson from 'secure-json-parse'
import { readBody } from './body-reader.ts'
import { type ContentStyle, invalidContent } from './named-refusals.ts'

const MAX_JSON_DEPTH = 32

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body and refuses what PostgreSQL or later code would choke on: bytes that are not UTF-8, NUL characters,
 * lone surrogates, `__proto__`, numbers without end, nesting deeper than any contract.
 */
export function parseJsonBody(bytes: Buffer, style?: ContentStyle): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = secureJson.parse(utf8.decode(bytes), null, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw invalidContent({ body: 'is not valid JSON in UTF-8' }, style)
  }
  const problem = problemOfValue(value, [])
  if (problem) throw invalidContent({ [problem.path]: problem.words }, style)
  return value
}

interface Problem {
  path: string
  words: string
}

function problemOfValue(value: unknown, path: string[]): Problem | undefined {
  if (typeof value === 'string') {
    const words = problemOfText(value)
    return words === undefined ? undefined : at(path, words)
  }
  // JSON.parse reads 1e999 as infinity, which JSON and PostgreSQL cannot write again.
  if (typeof value === 'number' && !Number.isFinite(value)) return at(path, 'is a number too large to store')
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length >= MAX_JSON_DEPTH) return at([], `is nested deeper than ${MAX_JSON_DEPTH} levels`)
  for (const [key, member] of Object.entries(value)) {
    if (problemOfText(key)) return at([], 'has a key with characters that cannot be stored')
    path.push(key)
    const problem = problemOfValue(member, path)
    if (problem) return problem
    path.pop()
  }
  return undefined
}

const at = (path: string[], words: string): Problem => ({ path: path.join('.') || 'body', words })

/** The problem of an input text, or undefined. */
export function problemOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  if (!text.isWellFormed()) return 'must be well-formed Unicode (it contains an unpaired surrogate)'
  return undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, kept for requests with an Idempotency-Key. */
    bodyBytes: Buffer | null
  }
}

/** A JSON body must arrive within `timeoutMs` in all. */
export function acceptJsonBodies(app: FastifyInstance, timeoutMs: number): void {
  app.decorateRequest('bodyBytes', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { bodyLimit: maxBytes, config } = request.routeOptions
    readBody(request, payload, { maxBytes, timeoutMs }, (refused, bytes) => {
      if (refused || !bytes) return done(refused)
      if (request.headers['idempotency-key'] !== undefined) request.bodyBytes = bytes
      try {
        done(null, parseJsonBody(bytes, config))
      } catch (error) {
        done(error instanceof Error ? error : new Error('The body could not be read.', { cause: error }))
      }
    })
  })
}
