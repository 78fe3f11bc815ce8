import { analyticsSubscribers } from './features/care/analytics/jobs.ts'
import { segmentSubscribers } from './features/records/segments/jobs.ts'
import type { Subscriber } from './platform/outbox.ts'

/** Who acts on the events of the outbox, of all features. */
export const subscribers: readonly Subscriber[] = [...segmentSubscribers, ...analyticsSubscribers]
