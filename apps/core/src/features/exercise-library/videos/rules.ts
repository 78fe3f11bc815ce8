const NAME = /^[a-z0-9_-][a-z0-9_.-]*$/
const MAP = /^(#EXT-X-MAP:(?:.*,)?URI=")([^"]+)(".*)$/

/** The playlist with another address for each file that it names. Files lie beside it; a name that leads elsewhere throws. */
export async function readdressed(playlist: string, addressOf: (name: string) => Promise<string>): Promise<string> {
  const known = new Map<string, Promise<string>>()
  const address = (name: string) => {
    if (!NAME.test(name)) throw new Error('a playlist names a file that does not lie beside it')
    const found = known.get(name) ?? addressOf(name)
    known.set(name, found)
    return found
  }
  const lines = playlist.split('\n').map(async (line) => {
    const [, before, name, after] = MAP.exec(line) ?? []
    if (name !== undefined) return `${before}${await address(name)}${after}`
    return line === '' || line.startsWith('#') ? line : address(line)
  })
  return (await Promise.all(lines)).join('\n')
}
