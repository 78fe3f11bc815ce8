import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
const COMPRESSIBLE = /\.(js|css|svg|wasm|webmanifest)$/
const BIG_BYTES = 4_000_000

/** For a release, or for local use: ten times faster, and 7 % larger. */
export type Compression = 'release' | 'local'

/** Brotli qualities. */
const QUALITY = { release: { small: 11, big: 9 }, local: { small: 9, big: 5 } }

/** Beside each file its Brotli and gzip forms, made once here and not for each request. */
export async function compressFolder(dir: string, compression: Compression): Promise<void> {
  const names = await readdir(dir, { recursive: true })
  const files = names.filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(files.map((name) => compressFile(join(dir, name), compression)))
}

async function compressFile(file: string, compression: Compression): Promise<void> {
  const content = await readFile(file)
  const quality = QUALITY[compression][content.length > BIG_BYTES ? 'big' : 'small']
  const [brotli, gzipped] = await Promise.all([
    toBrotli(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    toGzip(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)])
}
