// Line breaks and other control characters would end a header of a mail or a row of a list; an override shows text in another
// order than it is stored in.
const REFUSED = /[\p{Cc}\p{Zl}\p{Zp}\u202d\u202e]/u

/** Left-to-right and right-to-left embeddings and isolates, each with the character that closes it. */
const CLOSED_BY: Readonly<Record<string, string>> = {
  '\u202a': '\u202c',
  '\u202b': '\u202c',
  '\u2066': '\u2069',
  '\u2067': '\u2069',
  '\u2068': '\u2069',
}
const CLOSING = new Set(Object.values(CLOSED_BY))

/** White space and characters that show nothing. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether nobody can see anything of a text. */
export const isBlank = (text: string): boolean => text.replaceAll(UNSEEN, '') === ''

/**
 * Whether a text is one line that shows as it is stored. Marks of direction are allowed (phones copy numbers with them), but
 * must be closed: an open one changes the text that follows. Invisible characters alone look like a field without a value.
 */
export function isLine(text: string): boolean {
  if (REFUSED.test(text) || (isBlank(text) && text.trim() !== '')) return false
  const open: string[] = []
  for (const character of text) {
    const closing = CLOSED_BY[character]
    if (closing !== undefined) open.push(closing)
    else if (CLOSING.has(character) && open.pop() !== character) return false
  }
  return open.length === 0
}
