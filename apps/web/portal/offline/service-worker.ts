import type { WorkerScope } from './worker-scope.ts'

// The portal without a connection. Caches files whose name contains a hash or version, and the page without personal data.
// Never caches API responses: the page itself saves the content of Today, and sign-out removes it.

declare const __BUILD__: string
declare const self: WorkerScope

const SHELL = '/portal/'
const FILES = `files-${__BUILD__}`
// 20 MB that do not change with a build: their URLs contain their version.
const POSE = 'pose'
/** What Today needs; the build writes the names. */
const OFFLINE_FILES = '%OFFLINE_FILES%'.split(' ')
const FILE_PATH = /^\/portal\/(assets|pose)\//

/** The page for visitors, marked as offline, so that it reads the data saved on the device. */
async function keepShell(): Promise<void> {
  const response = await fetch(SHELL, { credentials: 'omit', cache: 'no-store' })
  if (!response.ok) throw new Error(`the page answered ${response.status}`)
  const html = (await response.text()).replace('id="me">null<', 'id="me">"offline"<')
  const { headers } = response
  await (await caches.open(FILES)).put(SHELL, new Response(html, { headers }))
}

/** Before the files of the version before are removed. Those that did not change are not loaded again. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(FILES)
  await Promise.all(
    OFFLINE_FILES.map(async (file) => {
      const path = SHELL + file
      const response = (await caches.match(path)) ?? (await fetch(path))
      if (!response.ok) throw new Error(`${file} answered ${response.status}`)
      await cache.put(path, response)
    }),
  )
}

async function fileOf(request: Request): Promise<Response> {
  const cache = await caches.open(request.url.includes('/portal/pose/') ? POSE : FILES)
  const kept = await cache.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200) await cache.put(request, response.clone())
  return response
}

async function pageOf(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await (await caches.open(FILES)).match(SHELL)
    if (kept) return kept
    throw error
  }
}

async function removeOldFiles(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== FILES && name !== POSE)
  await Promise.all(old.map((name) => caches.delete(name)))
}

self.addEventListener('install', (event) =>
  event.waitUntil(Promise.all([keepShell(), keepFiles()]).then(() => self.skipWaiting())),
)
self.addEventListener('activate', (event) => event.waitUntil(removeOldFiles().then(() => self.clients.claim())))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (FILE_PATH.test(url.pathname)) event.respondWith(fileOf(request))
  else if (request.mode === 'navigate' && url.pathname.startsWith(SHELL)) event.respondWith(pageOf(request))
})
/** The files that a page loaded before the worker ran. */
self.addEventListener('message', (event) => {
  const paths = event.data.filter((path) => FILE_PATH.test(path))
  event.waitUntil(Promise.all(paths.map((path) => fileOf(new Request(path)))))
})
