import { auditDataClasses } from './features/audit-logs/data-classes.ts'
import { breakGlassDataClasses } from './features/break-glass/data-classes.ts'
import { consentDataClasses } from './features/consents/data-classes.ts'
import { customFieldDataClasses } from './features/custom-fields/data-classes.ts'
import { formFileDataClasses } from './features/form-files/data-classes.ts'
import { formDataClasses } from './features/forms/data-classes.ts'
import { gdprDataClasses } from './features/gdpr/data-classes.ts'
import { patientConditionDataClasses } from './features/patient-conditions/data-classes.ts'
import { patientDataClasses } from './features/patients/data-classes.ts'
import { segmentDataClasses } from './features/segments/data-classes.ts'
import { sessionRunDataClasses } from './features/session-runs/data-classes.ts'
import { telemetryDataClasses } from './features/session-runs/telemetry-data-classes.ts'
import { treatmentPlanDataClasses } from './features/treatment-plans/data-classes.ts'
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
