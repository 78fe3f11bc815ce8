import type { Constraints } from '@tendon/http'
import type { CoreApp } from './app.ts'
import { health } from './features/health/routes.ts'
import { me } from './features/me/routes.ts'
import { organizationConstraints } from './features/organizations/errors.ts'
import { organizations } from './features/organizations/routes.ts'
import type { Services } from './services.ts'

/** Adds the endpoints of one feature. */
export type Feature = (app: CoreApp, services: Services) => void

/** The API's table of contents. */
export const features: Feature[] = [health, me, organizations]

/** Constraint name → refusal, of all features. */
export const constraints: Constraints = { ...organizationConstraints }
