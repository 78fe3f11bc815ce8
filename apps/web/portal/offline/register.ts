const FILE_PATH = /^\/portal\/assets\//

/** Starts the service worker and sends it the URLs of this page's files, which were loaded before it ran. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await navigator.serviceWorker.register('/portal/worker.js', { scope: '/portal/' })
  const { active } = await navigator.serviceWorker.ready
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  active?.postMessage([...new Set(loaded)].filter((path) => FILE_PATH.test(path)))
}
