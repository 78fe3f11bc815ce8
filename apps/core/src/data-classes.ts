import { features } from './features.ts'
import type { DataClass } from './platform/data-class.ts'

/**
 * Everything stored about a patient, in the order of features.ts: exports run in this order, erasures in reverse. So a
 * class whose rows refer to the rows of another comes after it.
 */
export const dataClasses: readonly DataClass[] = features.flatMap((one) => one.dataClasses)
