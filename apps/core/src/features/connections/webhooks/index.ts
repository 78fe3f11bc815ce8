export { causesIn } from './causes.ts'
export { insertDirectDelivery } from './delivery-queries.ts'
export { listSubscriptionStates } from './queries.ts'
export {
  AUTOMATION_TRIGGERED,
  bodyOf,
  PUBLISHED,
  type PublishedEvent,
  patientIn,
  thinDataOf,
} from './webhook-events.ts'
