/** Whether a value says something: "-", "…" and blanks do not. */
export const isFilledIn = (value: string): boolean => /[\p{L}\p{N}]/u.test(value)
