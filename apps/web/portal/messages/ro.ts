import { ro as book } from '../routes/book/texts.ro.ts'
import { ro as bookings } from '../routes/bookings/texts.ro.ts'
import { ro as forms } from '../routes/forms/texts.ro.ts'
import { ro as me } from '../routes/me/texts.ro.ts'
import { ro as progress } from '../routes/progress/texts.ro.ts'
import { ro as sessionRuns } from '../routes/session-runs/texts.ro.ts'
import { ro as today } from '../routes/today/texts.ro.ts'
import { ro as visits } from '../routes/visits/texts.ro.ts'
import { ro as waitlistOffers } from '../routes/waitlist-offers/texts.ro.ts'
import { ro as frame } from '../texts.ro.ts'
import type { portalEn } from './en.ts'

export const portalRo: typeof portalEn = {
  ...frame,
  ...book,
  ...bookings,
  ...forms,
  ...me,
  ...waitlistOffers,
  ...visits,
  ...today,
  ...sessionRuns,
  ...progress,
}
