const MAX_WORD_BYTES = 36
const MAX_PLAIN_LENGTH = 60

/** Mail programs show an encoded word (RFC 2047) decoded, some also in quotes and in addresses. */
export const looksEncoded = (text: string): boolean => text.includes('=?')

/** The text of an unstructured header such as Subject. */
export const headerText = (text: string): string =>
  /^[ -~]*$/.test(text) && text.length <= MAX_PLAIN_LENGTH && !looksEncoded(text) ? text : encodedWords(text)

/** An address with the name that is shown for it. */
export const headerAddress = (name: string, address: string): string =>
  /^[\w ]*$/.test(name) && name.length <= MAX_PLAIN_LENGTH
    ? `${name} <${address}>`.trimStart()
    : `${encodedWords(name)}\r\n <${address}>`

/** A text as encoded words, one on each line: readers join them without the white space in between. */
function encodedWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(word + character) > MAX_WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ')
}
