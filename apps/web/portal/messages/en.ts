import { en as book } from '../routes/book/texts.en.ts'
import { en as bookings } from '../routes/bookings/texts.en.ts'
import { en as forms } from '../routes/forms/texts.en.ts'
import { en as me } from '../routes/me/texts.en.ts'
import { en as progress } from '../routes/progress/texts.en.ts'
import { en as sessionRuns } from '../routes/session-runs/texts.en.ts'
import { en as today } from '../routes/today/texts.en.ts'
import { en as visits } from '../routes/visits/texts.en.ts'
import { en as waitlistOffers } from '../routes/waitlist-offers/texts.en.ts'
import { en as frame } from '../texts.en.ts'

export const portalEn = {
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
