import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { portOf } from './port-of.ts'

/** How the video host misbehaves; changed at any time. */
export interface BunnySwitches {
  /** Sends no webhook. */
  silent: boolean
  /** Sends every webhook three times. */
  repeat: boolean
  /** Sends the webhooks in the opposite order. */
  reorder: boolean
  /** Sends the finished webhook while the upload is still arriving. */
  early: boolean
  /** Transcoding ends with an error. */
  encodeError: boolean
  /** Forgets the video after its upload. */
  forget: boolean
  /** Never finishes transcoding. */
  stuck: boolean
  /** Answers so many requests with 429. */
  tooMany: number
  /** `Retry-After` of those answers; empty: none. */
  retryAfter: string
  /** Answers so many requests with 500. */
  broken: number
  /** Cuts the connection of so many requests. */
  cut: number
  /** Milliseconds before each answer. */
  slowMs: number
  /** Signs webhooks with this key. */
  signingKey: string
}

export interface FakeVideo {
  guid: string
  title: string
  status: number
  bytes: number
  captions: string[]
}

export const BUNNY_KEY = 'fake-bunny-key'
export const BUNNY_LIBRARY = '4711'
const RESOLUTIONS = ['360p', '720p']
const [UPLOADED, FINISHED, ERROR] = [1, 4, 5]
const DONE = { silent: false, repeat: false, reorder: false, early: false, encodeError: false, forget: false }
const CALM: BunnySwitches = {
  ...DONE,
  stuck: false,
  tooMany: 0,
  retryAfter: '',
  broken: 0,
  cut: 0,
  slowMs: 0,
  signingKey: '',
}

/** A stand-in for Bunny Stream: its API and its webhooks, over HTTP. */
export async function startFakeBunny() {
  const forgotten = new Set<string>()
  const videos = new Map<string, FakeVideo>()
  const switches: BunnySwitches = { ...CALM }
  const uploads: string[] = []
  const sent: number[] = []
  const asked: string[] = []
  let webhookUrl = ''
  let pending = Promise.resolve()

  async function notify(guid: string, status: number): Promise<void> {
    if (switches.silent || webhookUrl === '') return
    const body = JSON.stringify({ VideoLibraryId: Number(BUNNY_LIBRARY), VideoGuid: guid, Status: status })
    const signature = createHmac('sha256', switches.signingKey).update(body).digest('hex')
    const signed = switches.signingKey === '' ? {} : { 'x-bunnystream-signature': signature }
    for (let n = 0; n < (switches.repeat ? 3 : 1); n += 1) {
      const headers = { 'content-type': 'application/json', ...signed }
      const answer = await fetch(webhookUrl, { method: 'POST', headers, body }).catch(() => undefined)
      if (answer) sent.push(answer.status)
    }
  }

  async function transcode(video: FakeVideo): Promise<void> {
    if (switches.forget) {
      videos.delete(video.guid)
      forgotten.add(video.title)
    }
    if (switches.forget || switches.stuck) return
    const { encodeError } = switches
    const steps = encodeError ? [0, 1, 2, ERROR] : [0, 1, 2, ...RESOLUTIONS.map(() => FINISHED), 3]
    video.status = encodeError ? ERROR : FINISHED
    for (const status of switches.reorder ? steps.toReversed() : steps) await notify(video.guid, status)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bunny')
    const json = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    asked.push(`${request.method} ${pathname}`)
    if (switches.slowMs > 0) await sleep(switches.slowMs)
    for (const [name, status] of [
      ['tooMany', 429],
      ['broken', 500],
    ] as const) {
      if (switches[name] <= 0) continue
      switches[name] -= 1
      request.resume()
      if (status === 429 && switches.retryAfter !== '') response.setHeader('retry-after', switches.retryAfter)
      return json(status, {})
    }
    if (switches.cut > 0) {
      switches.cut -= 1
      return void request.destroy()
    }
    if (request.headers.accesskey !== BUNNY_KEY) return json(401, {})
    const [, , library, , guid, part] = pathname.split('/')
    if (library !== BUNNY_LIBRARY) return json(404, {})
    const { method } = request
    if (guid === undefined && method === 'POST') {
      const { title } = JSON.parse((await buffer(request)).toString()) as { title: string }
      const video = { guid: randomUUID(), title, status: 0, bytes: 0, captions: [] }
      videos.set(video.guid, video)
      return json(200, shown(video))
    }
    if (guid === undefined) {
      const wanted = searchParams.get('search') ?? ''
      const items = [...videos.values()].filter(({ title }) => title.includes(wanted)).map(shown)
      return json(200, { totalItems: items.length, currentPage: 1, itemsPerPage: 100, items })
    }
    const video = videos.get(guid)
    if (!video) return json(404, {})
    if (part === 'captions') {
      await buffer(request)
      video.captions.push(pathname.split('/').at(-1) ?? '')
      return json(200, { success: true })
    }
    if (method === 'DELETE') {
      videos.delete(guid)
      return json(200, { success: true })
    }
    if (method === 'PUT') {
      if (video.status !== 0) {
        request.resume()
        return json(400, { success: false })
      }
      if (switches.early) await notify(guid, FINISHED)
      video.bytes = (await buffer(request)).length
      video.status = UPLOADED
      uploads.push(video.title)
      json(200, { success: true })
      pending = pending.then(() => transcode(video))
      return
    }
    json(200, shown(video))
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    videos,
    /** Titles of videos that the fake host lost after the upload. */
    forgotten,
    /** The title of each video whose content has arrived, in order. */
    uploads,
    switches,
    /** Every request: its method and path. */
    asked,
    /** The answers to its webhooks. */
    sent,
    sendWebhooksTo(url: string) {
      webhookUrl = url
    },
    notify,
    /** Resolves when all webhooks have been sent. */
    settled: () => pending,
    reset: () => void Object.assign(switches, CALM),
    close: () => server.close().closeAllConnections(),
  }
}

export type FakeBunny = Awaited<ReturnType<typeof startFakeBunny>>

const shown = ({ guid, title, status }: FakeVideo) => ({
  videoLibraryId: Number(BUNNY_LIBRARY),
  guid,
  title,
  status,
  encodeProgress: status === FINISHED ? 100 : 0,
  length: 18,
  availableResolutions: status === FINISHED ? RESOLUTIONS.join(',') : null,
})
