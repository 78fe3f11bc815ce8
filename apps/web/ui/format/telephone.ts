const NUMBER = /\+?\d(?:[\d\s().-]|\/(?=\d))*/g
const MIN_DIGITS = 3

/**
 * A link that dials the first number of a text that somebody typed, without extension, second number and the 0 of "+40 (0)21".
 * Undefined when it contains none: a link that dials something else is worse than none.
 */
export function telephoneHref(phone: string): string | undefined {
  const numbers = phone.replace(/(\+[\d\s]+)\(0\)/, '$1').match(NUMBER) ?? []
  const [number] = numbers
    .map((text) => text.replaceAll(/[^+\d]/g, ''))
    .filter((text) => text.replace('+', '').length >= MIN_DIGITS)
  return number === undefined ? undefined : `tel:${number}`
}
