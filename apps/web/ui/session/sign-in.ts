import { ApiError } from '@tendon/sdk'
import { createContext, useContext } from 'react'
import { appName } from '../app.ts'
import type { Language } from '../i18n/language.ts'

const CHANNEL = 'tendon'

type Message = { app: string; kind: 'signed-in' | 'signed-out' }

/** One instance for the page, because a channel does not receive its own messages. */
let channel: BroadcastChannel | undefined
const otherTabs = (): BroadcastChannel => (channel ??= new BroadcastChannel(CHANNEL))

/** Tells the other tabs of the same app. */
export const tellOtherTabs = (kind: Message['kind']): void =>
  otherTabs().postMessage({ app: appName(), kind } satisfies Message)

export function onOtherTabs(listener: (kind: Message['kind']) => void): () => void {
  const heard = ({ data }: MessageEvent<Message>) => {
    if (data.app === appName()) listener(data.kind)
  }
  otherTabs().addEventListener('message', heard)
  return () => otherTabs().removeEventListener('message', heard)
}

/** Where the browser signs in; it comes back to `to`. */
export const signInUrl = (to = here()): string =>
  `/auth/sign-in?${new URLSearchParams({ app: appName(), to }).toString()}`

/** Signs in with the address of an invitation filled in; without it if core cannot be asked. */
export async function signInInvited(login_hint: string, language: Language): Promise<void> {
  const response = await fetch('/auth/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tendon-web': appName() },
    body: JSON.stringify({ app: appName(), to: here(), login_hint, language }),
  }).catch(() => undefined)
  const { location: next } = ((await response?.json().catch(() => undefined)) ?? {}) as { location?: string }
  location.assign(next ?? signInUrl())
}

function here(): string {
  const url = new URL(location.href)
  url.searchParams.delete('sign_in')
  return url.pathname + url.search
}

/** Removes the data that an app has saved on the device, when the person signs out. */
export const Forget = createContext<(() => Promise<unknown>) | undefined>(undefined)

/** Ends the session here and at the provider. Every tab of this app leaves its page. Rejects when core did not answer. */
export function useSignOut(): () => Promise<void> {
  const forget = useContext(Forget)
  return async () => {
    await forget?.().catch(() => undefined)
    await endSession()
  }
}

async function endSession(): Promise<void> {
  const response = await fetch('/auth/sign-out', { method: 'POST', headers: { 'x-tendon-web': appName() } }).catch(
    () => {
      throw new ApiError(0, {})
    },
  )
  if (response.status >= 500) throw new ApiError(response.status, await response.json().catch(() => ({})))
  const { location: next } = (await response.json().catch(() => ({}))) as { location?: string }
  tellOtherTabs('signed-out')
  location.assign(next ?? `/${appName()}/`)
}
