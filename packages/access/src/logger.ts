import { textIn } from '@tendon/http'
import type { FastifyInstance, FastifyLoggerOptions, FastifyRequest } from 'fastify'

/** Logs by allow-list: of a request only its id, method, route pattern and caller's address; never headers, query or body. */
export function loggerOptions(
  level: string,
  stream?: { write(line: string): void },
): FastifyLoggerOptions & { stream?: { write(line: string): void } } {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({
        id: request.id,
        method: request.method,
        route: request.routeOptions?.url ?? 'unknown',
        ip: request.ip,
      }),
      res: (reply: { statusCode?: number }) => ({ status: reply.statusCode }),
      err: serializeError,
    },
    ...(stream ? { stream } : {}),
  } as FastifyLoggerOptions
}

/** One line for each response: the route pattern instead of the URL, so that no id or query is logged. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
  })
}

/** PostgreSQL puts row values into `detail` and parameters into `message`: only code, constraint and stack lines go out. */
export function serializeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = textIn(error, 'code')
  const fromDatabase = 'severity' in error
  return {
    type: error.name,
    message: fromDatabase ? `database error ${code}` : error.message,
    code,
    constraint: textIn(error, 'constraint'),
    table: textIn(error, 'table'),
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .join('\n'),
  }
}
