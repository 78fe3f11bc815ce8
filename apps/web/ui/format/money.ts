import { useFormatter } from 'use-intl'

export const CENTS_PER_UNIT = 100

/** A price in the format of the reader's language; null when there is none. */
export function usePrice(): (cents: number | null, currency: string) => string | null {
  const format = useFormatter()
  return (cents, currency) =>
    cents === null ? null : format.number(cents / CENTS_PER_UNIT, { style: 'currency', currency })
}
