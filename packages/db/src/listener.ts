import { Client } from 'pg'

const RETRY_DELAY_MS = 1_000

export interface Listener {
  /** Calls back for each notice on the channel, and with null after a lost connection: notices may be missing. */
  subscribe(callback: (payload: string | null) => void): () => void
  close(): Promise<void>
}

/** One connection that listens on a channel: opened with the first subscriber, opened again when it is lost. */
export function createListener(url: string, channel: string): Listener {
  const callbacks = new Set<(payload: string | null) => void>()
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const tell = (payload: string | null) => {
    for (const callback of callbacks) callback(payload)
  }

  async function open(): Promise<void> {
    if (isClosed || client) return
    const opened = new Client({ connectionString: url, application_name: `listen ${channel}` })
    client = opened
    const lost = () => {
      if (client !== opened) return
      client = undefined
      opened.removeAllListeners('end').on('error', () => {})
      void opened.end().catch(() => {})
      if (!isClosed) timer = setTimeout(() => void open(), RETRY_DELAY_MS)
    }
    opened.on('notification', ({ payload }) => tell(payload ?? ''))
    opened.on('error', lost)
    opened.on('end', lost)
    try {
      await opened.connect()
      await opened.query(`listen ${channel}`)
      tell(null)
    } catch {
      lost()
    }
  }

  return {
    subscribe(callback) {
      callbacks.add(callback)
      void open()
      return () => callbacks.delete(callback)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const open = client
      client = undefined
      await open?.end().catch(() => {})
    },
  }
}
