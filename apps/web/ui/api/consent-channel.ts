// Informs other tabs when a consent is given or withdrawn, so that a camera in another tab stops at once.

let channel: BroadcastChannel | undefined
/** One instance for the page, because a channel does not receive its own messages. */
const otherTabs = (): BroadcastChannel => (channel ??= new BroadcastChannel('tendon-consents'))

export const tellConsentsChanged = (): void => otherTabs().postMessage('changed')

export function onConsentsChanged(listener: () => void): () => void {
  otherTabs().addEventListener('message', listener)
  return () => otherTabs().removeEventListener('message', listener)
}

/** Whether a request changes consents of the signed-in person. */
export const changesConsents = (method: string, url: string): boolean =>
  method !== 'GET' && /^\/v1\/me\/(consents|organizations|erase)/.test(url)
