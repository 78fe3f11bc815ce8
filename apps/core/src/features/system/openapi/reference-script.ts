import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const PACKAGE = '@scalar/fastify-api-reference'

export const scalarVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.resolve(PACKAGE)), 'utf8')) as { version: string })
    .version

/**
 * Scalar's browser bundle. The package keeps it as a text inside and gives it out only through a route, so a server that
 * never listens asks that route once. Loaded at the first request: four megabytes that most processes never need.
 */
export async function referenceScript(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  try {
    await app.register(reference, { routePrefix: '/docs', configuration: { url: '/' } })
    const { rawPayload, statusCode } = await app.inject('/docs/js/scalar.js')
    if (statusCode !== 200) throw new Error(`${PACKAGE} did not give out its bundle (${statusCode})`)
    return rawPayload
  } finally {
    await app.close()
  }
}
