import { readFile, stat } from 'node:fs/promises'

/** Escaped so that no value can end the data block. U+2028 and U+2029 are harmless in a block that is no script. */
const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

interface PageContent {
  nonce: string
  /** The response of /v1/me; null when nobody is signed in. */
  me: unknown
  /** The responses to the page's first reads. */
  reads: readonly unknown[]
  /** URL paths of files that the page needs in addition to those of the app. */
  files: readonly string[]
}

export const fillPage = (html: string, { nonce, me, reads, files }: PageContent): string =>
  html
    .replaceAll('%NONCE%', nonce)
    .replace('</head>', () => `${files.map(preload).join('')}</head>`)
    .replace('<!--ME-->', () => dataBlock('me', me) + dataBlock('reads', reads))

const preload = (path: string): string =>
  path.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${path}">`
    : `<link rel="modulepreload" crossorigin href="${path}">`

/** Reads a built file, and again after a build has replaced it; undefined while there is none. */
export function createFileReader() {
  const known = new Map<string, { changed: number; text: string }>()
  return async (file: string): Promise<string | undefined> => {
    const changed = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    if (changed === undefined) return undefined
    const kept = known.get(file)
    if (kept?.changed === changed) return kept.text
    const text = await readFile(file, 'utf8')
    known.set(file, { changed, text })
    return text
  }
}
