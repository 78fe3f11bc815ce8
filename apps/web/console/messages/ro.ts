import { ro as appointments } from '../parts/appointments/texts.ro.ts'
import { ro as members } from '../parts/members/texts.ro.ts'
import { ro as specialists } from '../parts/specialists/texts.ro.ts'
import { ro as calendar } from '../routes/calendar/texts.ro.ts'
import { ro as documents } from '../routes/patients/documents/texts.ro.ts'
import { ro as plans } from '../routes/patients/plans/texts.ro.ts'
import { ro as record } from '../routes/patients/record/texts.ro.ts'
import { ro as patients } from '../routes/patients/texts.ro.ts'
import { ro as privacyNotice } from '../routes/privacy-notice/texts.ro.ts'
import { ro as review } from '../routes/session-runs/review/texts.ro.ts'
import { ro as sessionRuns } from '../routes/session-runs/texts.ro.ts'
import { ro as settings } from '../routes/settings/texts.ro.ts'
import { ro as today } from '../routes/today/texts.ro.ts'
import { ro as frame } from '../texts.ro.ts'
import type { consoleEn } from './en.ts'

export const consoleRo: typeof consoleEn = {
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
