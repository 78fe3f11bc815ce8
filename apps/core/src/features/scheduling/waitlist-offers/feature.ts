import { feature } from '../../../feature.ts'
import { waitlistOfferDataClasses } from './data-classes.ts'
import { waitlistOfferConstraints } from './errors.ts'
import { waitlistOfferJobs } from './jobs.ts'
import { waitlistOffered } from './mails.ts'
import { publicWaitlistOfferRoutes } from './public-routes.ts'
import { waitlistOfferRoutes } from './routes.ts'
import { waitlistOfferSubscribers } from './subscribers.ts'

export const waitlistOffers = feature({
  routes: [waitlistOfferRoutes, publicWaitlistOfferRoutes],
  constraints: waitlistOfferConstraints,
  jobs: waitlistOfferJobs,
  subscribers: waitlistOfferSubscribers,
  dataClasses: waitlistOfferDataClasses,
  mails: [waitlistOffered],
})
