import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { portOf } from './port-of.ts'
import { findChromium } from './programs.ts'
import { soakRuns } from './soak.ts'

const CHROMIUM = findChromium()
const PAGE = '<video muted></video><script src="/hls.js"></script>'
const TYPES: Record<string, string> = { m3u8: 'application/vnd.apple.mpegurl', vtt: 'text/vtt', js: 'text/javascript' }

/** Why browser tests are skipped here; false when they run. */
export const NO_PLAYER =
  (CHROMIUM === undefined && 'no Chromium on this machine (CHROMIUM_PATH)') ||
  (soakRuns(1) === 1 && 'browser tests run in the soak')

/** Chromium with hls.js, playing `master.m3u8` of a folder. Scripts see `video`, `hls` and the fatal `problems`. */
export async function openHlsPlayer(folder: string) {
  const library = join(dirname(createRequire(import.meta.url).resolve('hls.js')), 'hls.min.js')

  function answer({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(PAGE)
    const path = url === '/hls.js' ? library : join(folder, url)
    const bytes = existsSync(path) ? readFileSync(path) : undefined
    if (!bytes) return void response.writeHead(404).end()
    response.setHeader('content-type', TYPES[url.split('.').at(-1) ?? ''] ?? 'video/mp4')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (from === undefined) return void response.end(bytes)
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}` })
    response.end(bytes.subarray(Number(from), Number(to) + 1))
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Half a second of loading that other tests do not need.
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ ...(CHROMIUM ? { executablePath: CHROMIUM } : {}), args: ['--no-sandbox'] })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${portOf(server)}/`)
  await page.evaluate(`
    globalThis.video = document.querySelector('video')
    globalThis.hls = new Hls({ enableWorker: false })
    globalThis.problems = []
    hls.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && problems.push(details))
    hls.loadSource('/master.m3u8')
    hls.attachMedia(video)
    new Promise((resolve) => video.addEventListener('canplay', resolve, { once: true }))`)
  return {
    page,
    read: <Value>(expression: string): Promise<Value> => page.evaluate(expression),
    async close() {
      await browser.close()
      server.close().closeAllConnections()
    },
  }
}

export type HlsPlayer = Awaited<ReturnType<typeof openHlsPlayer>>
