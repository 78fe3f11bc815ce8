/** Whether a value says something: "-", "…", blanks and letters that nobody sees do not. */
export const isFilledIn = (value: string): boolean => /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(value)
