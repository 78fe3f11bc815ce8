const NAME = /^[a-z0-9_-][a-z0-9_.-]*$/
/** #EXT-X-MAP, #EXT-X-MEDIA and whatever else names a file. */
const WITH_URI = /^(#EXT-X-[A-Z-]+:(?:.*,)?URI=")([^"]+)(".*)$/

/** The playlist with a URL for each file that it names. A name that is not of a file beside the playlist throws. */
export async function withUrls(playlist: string, urlOf: (name: string) => Promise<string>): Promise<string> {
  const known = new Map<string, Promise<string>>()
  const url = (name: string) => {
    if (!NAME.test(name)) throw new Error('the playlist names a file in another folder')
    const found = known.get(name) ?? urlOf(name)
    known.set(name, found)
    return found
  }
  const lines = playlist.split('\n').map(async (line) => {
    const [, before, name, after] = WITH_URI.exec(line) ?? []
    if (name !== undefined) return `${before}${await url(name)}${after}`
    return line === '' || line.startsWith('#') ? line : url(line)
  })
  return (await Promise.all(lines)).join('\n')
}
