import type { Address } from '@tendon/sdk'

/** Street, postal code and city in one line, as on an envelope; null when there is none. The country is the clinic's. */
export function addressLine(address: Address | null): string | null {
  if (address === null) return null
  const city = [address.postal_code, address.city].filter(Boolean).join(' ')
  return [address.line1, address.line2, city].filter(Boolean).join(', ')
}
