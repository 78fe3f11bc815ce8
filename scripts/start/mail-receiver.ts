import { SMTPServer } from 'smtp-server'
import { listenOn } from './ports.ts'

/** A mail server for local use that accepts every mail and delivers none: /dev/mails shows them. */
export async function startMailReceiver(host: string, port: number): Promise<() => Promise<void>> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username }, _session, callback) => callback(null, { user: username ?? '' }),
    onData: (stream, _session, callback) => stream.on('end', () => callback()).resume(),
  })
  await listenOn(server, 'MAIL_RECEIVER_PORT', port, host)
  server.on('error', () => {}) // a client that hangs up
  return () => new Promise((resolve) => server.close(() => resolve()))
}
