import {
  type TaxonomyAxis,
  type TaxonomyContract,
  taxonomyContracts,
  taxonomyLists,
  taxonomyParameters,
} from '@tendon/contracts'
import { type Access, permission, superadmin } from '@tendon/http'

// The seven axes. Their differences are defined here and in their contracts; the routes are one loop.

export interface Axis {
  name: TaxonomyAxis
  /** The address of the list. */
  path: string
  /** The key of the list in its answer. */
  plural: string
  /** In sentences: "a category", "categories". */
  one: string
  many: string
  /** Who writes. Superadmins write the platform's values, whatever the axis. */
  access: Access
  /** Whether clinics have values of their own. */
  ofClinics: boolean
  /** PUT axes also delete; the others only deprecate. */
  change: 'PUT' | 'PATCH'
  contract: TaxonomyContract
  list: (typeof taxonomyLists)[TaxonomyAxis]
  parameters: ReturnType<typeof taxonomyParameters>
}

const BY_CLINICS = permission('catalog.tags:write_private')
const BY_PLATFORM = superadmin('catalog.tags:write')

const TABLE: [TaxonomyAxis, path: string, one: string, many: string, Access, Axis['change']][] = [
  ['category', 'exercise-categories', 'a category', 'categories', BY_CLINICS, 'PUT'],
  ['body_region', 'exercise-body-regions', 'a body region', 'body regions', BY_PLATFORM, 'PUT'],
  ['equipment', 'exercise-equipment', 'a piece of equipment', 'equipment', BY_CLINICS, 'PUT'],
  ['movement_pattern', 'exercise-movement-patterns', 'a movement pattern', 'movement patterns', BY_PLATFORM, 'PATCH'],
  ['recovery_phase', 'exercise-recovery-phases', 'a recovery phase', 'recovery phases', BY_PLATFORM, 'PATCH'],
  ['condition', 'exercise-conditions', 'a condition', 'conditions', BY_CLINICS, 'PATCH'],
  [
    'skill_prerequisite',
    'exercise-skill-prerequisites',
    'a skill prerequisite',
    'skill prerequisites',
    BY_PLATFORM,
    'PATCH',
  ],
]

export const AXES: readonly Axis[] = TABLE.map(([name, path, one, many, access, change]) => ({
  name,
  path: `/v1/${path}`,
  plural: many.replaceAll(' ', '_'),
  one,
  many,
  access,
  ofClinics: access === BY_CLINICS,
  change,
  contract: taxonomyContracts[name],
  list: taxonomyLists[name],
  parameters: taxonomyParameters(taxonomyLists[name]),
}))
