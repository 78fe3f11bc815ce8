import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet'

/** How the server answers: from its records, with SERVFAIL, or not at all. */
export type DnsMood = 'answers' | 'fails' | 'silent'

export interface TestDnsServer {
  /** In the format of DNS_SERVERS. */
  address: string
  /** The names that were queried, in order. */
  asked: string[]
  mood: DnsMood
  /** Replaces the TXT records of a name, each a text or its chunks. Without records the name does not exist. */
  setTxt(name: string, ...records: (string | string[])[]): void
  setAlias(name: string, target: string): void
  /**
   * Replaces the A and AAAA records of a name. With several lists each look-up returns the next one; the last one is
   * repeated.
   */
  setAddresses(name: string, ...answers: string[][]): void
  close(): Promise<void>
}

const TTL_SECONDS = 3_600
const SERVFAIL = 2
const NXDOMAIN = 3

/** A DNS server over UDP with records set by the test. */
export async function startDnsServer(): Promise<TestDnsServer> {
  const records = new Map<string, Answer[]>()
  const addresses = new Map<string, string[][]>()
  const socket = createSocket('udp4')

  function answersTo(name: string, type: string): Answer[] {
    const known = (records.get(name.toLowerCase()) ?? []).flatMap((answer) =>
      answer.type === 'CNAME' ? [answer, ...answersTo(answer.data, type)] : [answer],
    )
    return type === 'A' || type === 'AAAA' ? [...known, ...addressesOf(name, type)] : known
  }

  function addressesOf(name: string, type: 'A' | 'AAAA'): Answer[] {
    const answers = addresses.get(`${type} ${name.toLowerCase()}`) ?? []
    const [current = []] = answers.length > 1 ? answers.splice(0, 1) : answers
    return current.map((data) => ({ type, name, ttl: TTL_SECONDS, data }))
  }

  function answer({ id, questions = [] }: Packet): Packet {
    const names = questions.map(({ name }) => name)
    server.asked.push(...names)
    const answers = server.mood === 'fails' ? [] : questions.flatMap(({ name, type }) => answersTo(name, type ?? 'A'))
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
    setAddresses(name, ...answers) {
      for (const type of ['A', 'AAAA'] as const) {
        const family = type === 'A' ? 4 : 6
        const ofType = answers.map((list) => list.filter((address) => isIP(address) === family))
        addresses.set(`${type} ${name.toLowerCase()}`, ofType)
      }
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  return server
}
