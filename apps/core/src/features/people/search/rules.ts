/** Digits with what stands between them in a phone number. */
const PHONE = /^[\d\s+()./-]+$/
const MIN_PHONE_DIGITS = 3
/** The digits that a number has with and without the code of its country. */
const NATIONAL_DIGITS = 9

/** What is searched for: of something that looks like a phone number only its digits, since they are stored in many groupings. */
export function searchedText(q: string): string {
  const digits = q.replace(/\D/g, '')
  if (!PHONE.test(q) || digits.length < MIN_PHONE_DIGITS) return q
  return digits.slice(-NATIONAL_DIGITS)
}
