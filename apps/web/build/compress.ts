import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
const COMPRESSIBLE = /\.(js|css|svg|wasm|webmanifest)$/
const BIG_BYTES = 4_000_000

/** Beside each file its Brotli and gzip forms, made once here and not for each request. */
export async function compressFolder(dir: string): Promise<void> {
  const names = await readdir(dir, { recursive: true })
  await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compressFile(join(dir, name))))
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file)
  const quality = content.length > BIG_BYTES ? 9 : 11
  const [brotli, gzipped] = await Promise.all([
    toBrotli(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    toGzip(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)])
}
