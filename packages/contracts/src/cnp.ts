const CNP_WEIGHTS = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]
const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Whether text is a Romanian identification number. S YYMMDD CC NNN C: sex and century, a day of the calendar, county, serial
 * number, check digit.
 */
export function isCnp(text: string): boolean {
  if (!/^[1-9][0-9]{12}$/.test(text)) return false
  const digits = Array.from(text, Number)
  const month = Number(text.slice(3, 5))
  const day = Number(text.slice(5, 7))
  if (day < 1 || day > (LONGEST_MONTHS[month - 1] ?? 0)) return false
  const sum = CNP_WEIGHTS.reduce((total, weight, place) => total + weight * (digits[place] ?? 0), 0)
  return digits[12] === (sum % 11 === 10 ? 1 : sum % 11)
}
