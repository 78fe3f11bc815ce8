/** Each takes about 20 KB in every connection, and callers can make new ones: lists sort and filter as they like. */
const MAX_PREPARED = 1_000

/**
 * Prefix of a statement that depends on the caller: it is not prepared by name. For memory, not for speed: unnamed or named,
 * a rebuild of a segment takes the same time (1.00 and 0.98).
 */
export const UNNAMED = '/* unnamed */'

/** Gives the first SQL texts a name, so that a connection parses and plans them once. */
export class StatementNames {
  readonly #names = new Map<string, string>()

  nameOf(text: string): string | undefined {
    if (text.startsWith(UNNAMED)) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MAX_PREPARED) return known
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
