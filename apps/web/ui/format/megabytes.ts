import { useFormatter } from 'use-intl'

const BYTES_PER_MB = 1024 * 1024

/**
 * Bytes in MB, as every page shows them. A size is rounded up. What is allowed or has arrived is rounded down: nothing is said
 * to fit or to have arrived that does not.
 */
export function useMegabytes(): (bytes: number, roundingMode: 'ceil' | 'floor') => string {
  const format = useFormatter()
  return (bytes, roundingMode) =>
    format.number(bytes / BYTES_PER_MB, {
      roundingMode,
      ...(bytes < BYTES_PER_MB ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 }),
    })
}
