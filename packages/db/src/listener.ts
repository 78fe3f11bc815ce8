import { Client } from 'pg'

const RETRY_DELAY_MS = 1_000
const CONNECT_TIMEOUT_MS = 10_000
const HEARTBEAT_MS = 2_000

export interface Listener {
  /** False while notices may be missed: from the loss of the connection until it listens again. */
  readonly isListening: boolean
  /** Calls back for each notice on the channel, and with null after a lost connection: notices may be missing. */
  subscribe(callback: (payload: string | null) => void): () => void
  close(): Promise<void>
}

/**
 * One connection that listens on a channel: opened with the first subscriber, opened again when it is lost. It is lost when
 * it does not answer within `heartbeatMs`, too: the other end of a connection can vanish without a word.
 */
export function createListener(url: string, channel: string, heartbeatMs = HEARTBEAT_MS): Listener {
  const callbacks = new Set<(payload: string | null) => void>()
  let client: Client | undefined
  let isListening = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const tell = (payload: string | null) => {
    for (const callback of callbacks) callback(payload)
  }

  async function open(): Promise<void> {
    if (isClosed || client) return
    const opened = new Client({
      connectionString: url,
      application_name: `listen ${channel}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client = opened
    const lost = () => {
      if (client !== opened) return
      client = undefined
      isListening = false
      clearTimeout(timer)
      opened.removeAllListeners('end').on('error', () => {})
      void opened.end().catch(() => {})
      if (!isClosed) timer = setTimeout(() => void open(), RETRY_DELAY_MS)
    }
    opened.on('notification', ({ payload }) => tell(payload ?? ''))
    opened.on('error', lost)
    opened.on('end', lost)
    const ask = async (text: string) => {
      let isAnswered = false
      // After a stall of this process the answer may have arrived, but is read after the timers.
      const overdue = setTimeout(() => setImmediate(() => isAnswered || lost()), heartbeatMs)
      timer = overdue
      await opened.query(text)
      isAnswered = true
      clearTimeout(overdue)
      if (client !== opened) return
      timer = setTimeout(() => void ask('select 1').catch(lost), heartbeatMs)
    }
    try {
      await opened.connect()
      await ask(`listen ${channel}`)
      if (client !== opened) return
      isListening = true
      tell(null)
    } catch {
      lost()
    }
  }

  return {
    get isListening() {
      return isListening
    },
    subscribe(callback) {
      callbacks.add(callback)
      void open()
      return () => callbacks.delete(callback)
    },
    async close() {
      isClosed = true
      isListening = false
      clearTimeout(timer)
      const open = client
      client = undefined
      await open?.end().catch(() => {})
    },
  }
}
