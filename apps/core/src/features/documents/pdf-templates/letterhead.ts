import { type DocumentLanguage, isFilledIn, type Organization } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Values } from './path-rules.ts'
import { findClinic } from './queries.ts'

const DEFAULT_BRAND_COLOR = '#0b7a61'

/** The clinic's data on a document. */
export interface Letterhead {
  clinic: { name: string; lines: readonly string[] }
  brand_color: string
  values: Values
  language: DocumentLanguage
  time_zone: string
}

export async function findLetterhead(tx: TenantTx): Promise<Letterhead> {
  const found = await findClinic(tx)
  const { name, legal_name, phone, contact_email, website, language_code, time_zone } = found
  const address = addressOf(found.address)
  const contact = [phone, contact_email, website].filter(isSaid).join(' · ')
  return {
    clinic: { name, lines: [legal_name, address, contact].filter(isSaid) },
    brand_color: found.brand_color ?? DEFAULT_BRAND_COLOR,
    language: language_code === 'ro' ? 'ro' : 'en',
    time_zone,
    values: {
      'clinic.name': name,
      'clinic.legal_name': legal_name ?? '',
      'clinic.address': address,
      'clinic.phone': phone ?? '',
      'clinic.email': contact_email ?? '',
      'clinic.website': website ?? '',
    },
  }
}

const isSaid = (value: string | null | undefined): value is string => typeof value === 'string' && isFilledIn(value)

function addressOf(address: Organization['address']): string {
  if (!address) return ''
  const city = [address.postal_code, address.city].filter(isSaid).join(' ')
  return [address.line1, address.line2, city, address.region, address.country].filter(isSaid).join(', ')
}
