import { features } from './features.ts'
import type { Subscriber } from './platform/outbox.ts'

/** Reactions to events of the outbox, of all features. */
export const subscribers: readonly Subscriber[] = features.flatMap((one) => one.subscribers)
