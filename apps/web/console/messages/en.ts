import { en as appointments } from '../parts/appointments/texts.en.ts'
import { en as members } from '../parts/members/texts.en.ts'
import { en as specialists } from '../parts/specialists/texts.en.ts'
import { en as calendar } from '../routes/calendar/texts.en.ts'
import { en as documents } from '../routes/patients/documents/texts.en.ts'
import { en as plans } from '../routes/patients/plans/texts.en.ts'
import { en as record } from '../routes/patients/record/texts.en.ts'
import { en as patients } from '../routes/patients/texts.en.ts'
import { en as privacyNotice } from '../routes/privacy-notice/texts.en.ts'
import { en as review } from '../routes/session-runs/review/texts.en.ts'
import { en as sessionRuns } from '../routes/session-runs/texts.en.ts'
import { en as settings } from '../routes/settings/texts.en.ts'
import { en as today } from '../routes/today/texts.en.ts'
import { en as frame } from '../texts.en.ts'

export const consoleEn = {
  ...frame,
  ...calendar,
  ...patients,
  ...record,
  ...plans,
  ...documents,
  ...sessionRuns,
  ...review,
  ...today,
  ...settings,
  ...privacyNotice,
  ...members,
  ...specialists,
  ...appointments,
}
