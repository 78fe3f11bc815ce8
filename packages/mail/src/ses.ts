import { Readable } from 'node:stream'
import { type Outbound, OutboundError } from '@tendon/outbound'
import { MailError, type MailFailure } from './errors.ts'
import type { MailTransport } from './transport.ts'

export interface SesSettings {
  region: string
  /** Only for a local server that speaks the protocol of SES. */
  endpointUrl?: string
  configurationSet?: string
  accessKeyId: string
  secretAccessKey: string
}

interface SignedRequest {
  protocol: string
  hostname: string
  port?: number
  path: string
  method: string
  headers: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

const ANSWER_MAX_BYTES = 64_000

export function sesTransport(outbound: Pick<Outbound, 'request'>, settings: SesSettings): MailTransport {
  let opened: ReturnType<typeof open> | undefined

  /** The SDK is loaded with the first use. */
  async function open() {
    const { GetAccountCommand, SESv2Client, SendEmailCommand } = await import('@aws-sdk/client-sesv2')
    const client = new SESv2Client({
      region: settings.region,
      ...(settings.endpointUrl === undefined ? {} : { endpoint: settings.endpointUrl }),
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      maxAttempts: 1,
      requestHandler: { handle: (request: SignedRequest) => handle(outbound, request) },
    })
    return { client, GetAccountCommand, SendEmailCommand }
  }

  const run = async <Result>(work: (sdk: Awaited<ReturnType<typeof open>>) => Promise<Result>): Promise<Result> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    try {
      return await work(await opened)
    } catch (error) {
      throw sesError(error)
    }
  }

  return {
    send: ({ from, to, raw }) =>
      run(async ({ client, SendEmailCommand }) => {
        const { MessageId } = await client.send(
          new SendEmailCommand({
            FromEmailAddress: from,
            Destination: { ToAddresses: [to] },
            Content: { Raw: { Data: raw } },
            ...(settings.configurationSet ? { ConfigurationSetName: settings.configurationSet } : {}),
          }),
        )
        return { providerMessageId: MessageId ?? null }
      }),
    check: () =>
      run(async ({ client, GetAccountCommand }) => {
        const { SendingEnabled } = await client.send(new GetAccountCommand({}))
        if (SendingEnabled === false) throw new MailError('unavailable')
      }),
    async close() {
      ;(await opened?.catch(() => undefined))?.client.destroy()
    },
  }
}

/** The SDK signs, the outbound client sends. */
async function handle(outbound: Pick<Outbound, 'request'>, request: SignedRequest) {
  const { protocol, hostname, port, path, method, headers, body } = request
  const { host: _, 'content-length': __, ...sent } = headers
  const url = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`
  const answer = await outbound.request(url, {
    method: method as 'POST',
    headers: sent,
    ...(typeof body === 'string' || body instanceof Uint8Array ? { body } : {}),
    maxBytes: ANSWER_MAX_BYTES,
  })
  return {
    response: {
      statusCode: answer.status,
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      body: Readable.from([answer.body]),
    },
  }
}

const NAMES: Record<string, { failure: MailFailure; permanent?: boolean }> = {
  MessageRejected: { failure: 'rejected', permanent: true },
  BadRequestException: { failure: 'rejected', permanent: true },
  MailFromDomainNotVerifiedException: { failure: 'rejected' },
  AccountSuspendedException: { failure: 'authentication' },
  SendingPausedException: { failure: 'unavailable' },
  NotFoundException: { failure: 'rejected' },
  TooManyRequestsException: { failure: 'unavailable' },
  LimitExceededException: { failure: 'unavailable' },
}

function sesError(error: unknown): MailError {
  if (error instanceof MailError) return error
  if (error instanceof OutboundError) return new MailError(error.failure, { cause: error })
  const { name = '', $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  const known = NAMES[name]
  if (known) return new MailError(known.failure, { cause: error, permanent: known.permanent ?? false })
  return new MailError(status === 401 || status === 403 ? 'authentication' : 'unavailable', { cause: error })
}
