import { createSocket } from 'node:dgram'
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet'

/** How the server answers: as its records say, with SERVFAIL, or not at all. */
export type DnsMood = 'answers' | 'fails' | 'silent'

export interface TestDnsServer {
  /** As DNS_SERVERS takes it. */
  address: string
  /** The names that were asked, as they came. */
  asked: string[]
  mood: DnsMood
  /** Publishes TXT records, each a text or its chunks, in place of those before. Without records the name does not exist. */
  setTxt(name: string, ...records: (string | string[])[]): void
  setAlias(name: string, target: string): void
  close(): Promise<void>
}

const TTL_SECONDS = 3_600
const SERVFAIL = 2
const NXDOMAIN = 3

/** A DNS server over UDP that knows what a test tells it. */
export async function startDnsServer(): Promise<TestDnsServer> {
  const records = new Map<string, Answer[]>()
  const socket = createSocket('udp4')

  function answersTo(name: string): Answer[] {
    return (records.get(name.toLowerCase()) ?? []).flatMap((answer) =>
      answer.type === 'CNAME' ? [answer, ...answersTo(answer.data)] : [answer],
    )
  }

  function answer({ id, questions = [] }: Packet): Packet {
    const names = questions.map(({ name }) => name)
    server.asked.push(...names)
    const answers = server.mood === 'fails' ? [] : names.flatMap(answersTo)
    const code = server.mood === 'fails' ? SERVFAIL : answers.length === 0 ? NXDOMAIN : 0
    return {
      type: 'response',
      ...(id === undefined ? {} : { id }),
      flags: AUTHORITATIVE_ANSWER | code,
      questions,
      answers,
    }
  }

  socket.on('message', (message, from) => {
    const reply = answer(decode(message))
    if (server.mood !== 'silent') socket.send(encode(reply), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))

  const server: TestDnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    asked: [],
    mood: 'answers',
    setTxt(name, ...texts) {
      const answers = texts.map((data): Answer => ({ type: 'TXT', name, ttl: TTL_SECONDS, data }))
      records.set(name.toLowerCase(), answers)
    },
    setAlias(name, target) {
      records.set(name.toLowerCase(), [{ type: 'CNAME', name, ttl: TTL_SECONDS, data: target }])
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  return server
}
