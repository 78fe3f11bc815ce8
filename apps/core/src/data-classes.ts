import { patientConditionDataClasses } from './features/care/patient-conditions/data-classes.ts'
import { sessionRunDataClasses } from './features/care/session-runs/data-classes.ts'
import { telemetryDataClasses } from './features/care/session-runs/telemetry-data-classes.ts'
import { treatmentPlanDataClasses } from './features/care/treatment-plans/data-classes.ts'
import { patientDataClasses } from './features/people/patients/data-classes.ts'
import { auditDataClasses } from './features/privacy/audit-logs/data-classes.ts'
import { breakGlassDataClasses } from './features/privacy/break-glass/data-classes.ts'
import { consentDataClasses } from './features/privacy/consents/data-classes.ts'
import { gdprDataClasses } from './features/privacy/gdpr/data-classes.ts'
import { customFieldDataClasses } from './features/records/custom-fields/data-classes.ts'
import { formDataClasses } from './features/records/forms/data-classes.ts'
import { formFileDataClasses } from './features/records/forms/files/data-classes.ts'
import { segmentDataClasses } from './features/records/segments/data-classes.ts'
import type { DataClass } from './platform/data-class.ts'

/**
 * Everything that is kept about a patient, of all features. What refers to other rows stands after them: exports run in
 * this order, erasures in the reverse.
 */
export const dataClasses: readonly DataClass[] = [
  ...patientDataClasses,
  ...customFieldDataClasses,
  ...segmentDataClasses,
  ...formDataClasses,
  ...formFileDataClasses,
  ...patientConditionDataClasses,
  ...treatmentPlanDataClasses,
  ...sessionRunDataClasses,
  ...telemetryDataClasses,
  ...consentDataClasses,
  ...gdprDataClasses,
  ...breakGlassDataClasses,
  ...auditDataClasses,
]
