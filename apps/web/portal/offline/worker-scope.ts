// What the portal uses of a service worker’s global scope; TypeScript has it in a library that excludes the page’s.

interface FetchEvent extends Event {
  request: Request
  respondWith: (response: Promise<Response>) => void
}

interface LifeEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void
}

export interface WorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent<string[]> & LifeEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}
