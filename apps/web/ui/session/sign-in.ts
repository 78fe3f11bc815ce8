import { tab } from '../api/client.ts'

const CHANNEL = 'tendon'

type Message = { app: string; kind: 'signed-in' | 'signed-out' }

/** Tells the other tabs of the same app. */
export function tellOtherTabs(kind: Message['kind']): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ app: tab.app, kind } satisfies Message)
  channel.close()
}

export function onOtherTabs(listener: (kind: Message['kind']) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.app === tab.app) listener(data.kind)
  })
  return () => channel.close()
}

/** Where the browser signs in; it comes back to `to`. */
export const signInUrl = (to = here()): string =>
  `/auth/sign-in?${new URLSearchParams({ app: tab.app, to }).toString()}`

function here(): string {
  const url = new URL(location.href)
  url.searchParams.delete('sign_in')
  return url.pathname + url.search
}

/** Ends the session here and at the provider. Every tab of this app leaves its page. */
export async function signOut(): Promise<void> {
  const response = await fetch('/auth/sign-out', { method: 'POST', headers: { 'x-tendon-web': tab.app } })
  const { location: next } = (await response.json().catch(() => ({}))) as { location?: string }
  tellOtherTabs('signed-out')
  location.assign(next ?? `/${tab.app}/`)
}
