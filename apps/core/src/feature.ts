import type { HttpApp } from '@tendon/access'
import type { Constraints } from '@tendon/http'
import type { AnyMailTemplate } from '@tendon/mail'
import type { DataClass } from './platform/data-class.ts'
import type { Job } from './platform/jobs.ts'
import type { Subscriber } from './platform/outbox.ts'
import type { WorkerLoop } from './platform/worker-loop.ts'
import type { Services } from './services.ts'

/** Adds endpoints to the app. */
export type Routes = (app: HttpApp, services: Services) => void

/** Everything that one feature adds to the platform. */
export interface Feature {
  routes: readonly Routes[]
  /** Constraint name → the refusal when a write violates it. */
  constraints: Constraints
  /** Background work. A function gets the data classes of all features. */
  jobs: readonly Job[] | ((dataClasses: readonly DataClass[]) => readonly Job[])
  /** Reactions to events of the outbox. */
  subscribers: readonly Subscriber[]
  /** What the feature stores about a patient, for exports and erasures. */
  dataClasses: readonly DataClass[]
  /** The mails that the feature sends. */
  mails: readonly AnyMailTemplate[]
  /** What the worker does all the time, besides jobs. */
  loops: readonly WorkerLoop[]
}

export function feature({
  routes = [],
  constraints = {},
  jobs = [],
  subscribers = [],
  dataClasses = [],
  mails = [],
  loops = [],
}: Partial<Feature>): Feature {
  return { routes, constraints, jobs, subscribers, dataClasses, mails, loops }
}
