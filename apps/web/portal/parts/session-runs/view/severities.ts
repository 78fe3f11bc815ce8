/** The numeric rating scale, for pain and effort. */
export const SEVERITIES: readonly number[] = Array.from({ length: 11 }, (_, value) => value)
