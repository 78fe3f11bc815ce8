import { useFormatter } from 'use-intl'

// ISO 4217: most currencies have two decimals. Browsers round some of them by custom, so that their digits are no answer.
const NO_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
const THREE_DECIMALS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** How many minor units, in which the API counts, are one unit of the currency. */
export const minorUnitsOf = (currency: string): number =>
  NO_DECIMALS.has(currency) ? 1 : THREE_DECIMALS.has(currency) ? 1000 : 100

/** A price in the format of the reader's language; null when there is none. */
export function usePrice(): (cents: number | null, currency: string) => string | null {
  const format = useFormatter()
  return (cents, currency) =>
    cents === null ? null : format.number(cents / minorUnitsOf(currency), { style: 'currency', currency })
}
