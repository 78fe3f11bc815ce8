import { textIn } from '@tendon/http'
import type { LoggerOptions } from 'pino'

/**
 * Logs JSON lines by allow-list: of an error only its name, code, our own message and stack lines, never values of
 * rows.
 */
export function logOptions(level: string): LoggerOptions {
  return {
    level,
    base: { service: 'telemetry' },
    serializers: { err: serializeError },
  }
}

function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { cause } = error
  const code = textIn(error, 'code')
  // PostgreSQL puts values of rows into its messages.
  const fromDatabase = 'severity' in error
  return {
    type: error.name,
    message: fromDatabase ? `database error ${code}` : error.message,
    code,
    constraint: textIn(error, 'constraint'),
    ...(cause instanceof Error ? { cause: serializeError(cause) } : {}),
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .join('\n'),
  }
}
