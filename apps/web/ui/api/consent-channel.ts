// Tabs tell each other when a consent was given or withdrawn: a camera that is on in another tab stops at once.

let channel: BroadcastChannel | undefined
/** One for the page: a channel does not hear itself. */
const otherTabs = (): BroadcastChannel => (channel ??= new BroadcastChannel('tendon-consents'))

export const tellConsentsChanged = (): void => otherTabs().postMessage('changed')

export function onConsentsChanged(listener: () => void): () => void {
  otherTabs().addEventListener('message', listener)
  return () => otherTabs().removeEventListener('message', listener)
}

/** Whether a request changes consents of the signed-in person. */
export const changesConsents = (method: string, url: string): boolean =>
  method !== 'GET' && /^\/v1\/me\/(consents|organizations|erase)/.test(url)
