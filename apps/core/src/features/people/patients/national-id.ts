import type { Config } from '@tendon/config'
import { blindIndex, type SecretBox } from '@tendon/secrets'
import type { SealedNationalId } from './profile-queries.ts'
import { normaliseNationalId } from './rules.ts'

const PLACE = { table: 'patient_profiles', column: 'national_id_encrypted' }
const NONE: SealedNationalId = { national_id_encrypted: null, national_id_index: null }

export interface NationalIds {
  /** The stored form: encrypted for its row, with an index that works only inside its clinic. */
  seal(number: string | null | undefined, organizationId: string, profileId: string): SealedNationalId
  open(sealed: Buffer | null, organizationId: string, profileId: string): string | null
}

export function createNationalIds({ box, config }: { box: SecretBox; config: Config }): NationalIds {
  const placeOf = (organization_id: string, row: string) => ({ ...PLACE, organization_id, row })
  return {
    seal(number, organization_id, profileId) {
      if (!number) return NONE
      return {
        national_id_encrypted: box.seal(number.normalize().trim(), placeOf(organization_id, profileId)),
        national_id_index: blindIndex(
          config.BLIND_INDEX_KEY,
          { table: PLACE.table, column: 'national_id_index', organization_id },
          normaliseNationalId(number),
        ),
      }
    },
    open: (sealed, organizationId, profileId) =>
      sealed === null ? null : box.open(sealed, placeOf(organizationId, profileId)).toString('utf8'),
  }
}
