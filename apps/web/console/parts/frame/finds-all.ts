const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** Whether each word of the text begins a word of the label; accents and case do not matter. */
export function findsAll(label: string, text: string): boolean {
  const words = plain(label).split(/[^\p{L}\p{N}]+/u)
  return plain(text)
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
