import { readFile, stat } from 'node:fs/promises'

/** Escaped so that no value can end the data block. U+2028 and U+2029 are harmless in a block that is no script. */
const dataBlock = (value: unknown): string =>
  `<script type="application/json" id="me">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

/** The page of an app with the nonce of this answer, and the answer of /v1/me (null: nobody is signed in). */
export const fillPage = (html: string, nonce: string, me: unknown): string =>
  html.replaceAll('%NONCE%', nonce).replace('<!--ME-->', () => dataBlock(me))

/** Reads the built index.html of an app, again when a build has replaced it; undefined while there is none. */
export function createPageReader() {
  const known = new Map<string, { changed: number; html: string }>()
  return async (file: string): Promise<string | undefined> => {
    const changed = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    if (changed === undefined) return undefined
    const page = known.get(file)
    if (page?.changed === changed) return page.html
    const html = await readFile(file, 'utf8')
    known.set(file, { changed, html })
    return html
  }
}
