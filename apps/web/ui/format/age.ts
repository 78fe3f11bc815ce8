/**
 * Full years from the day of birth to `day`, both `YYYY-MM-DD`. A year is full on the birthday; for somebody born on
 * 29 February, in a year without that day, on 1 March. Undefined before the birth.
 */
export function ageOn(day: string, birthDate: string): number | undefined {
  if (day < birthDate) return undefined
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}
