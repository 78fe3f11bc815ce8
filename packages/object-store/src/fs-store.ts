import { randomUUID } from 'node:crypto'
import { access, constants, link, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { openObjectFile, writeObjectFile } from './fs-file.ts'
import { type Folders, hasFolder, makeFolders, openFolders, syncFolder } from './fs-folders.ts'
import { owning } from './metered.ts'
import { ObjectExists, type ObjectStore, RangeNotSatisfiable } from './port.ts'
import { checkContentType, checkKey, checkPrefix, checkRange } from './rules.ts'
import { checkSigningKey, type SigningKey, signUrl } from './signed-url.ts'

// No key contains an "@", so the object "a" (file "a@object") and the object "a/b" (in the folder "a") can both exist.
const SUFFIX = '@object'

export type FsStoreOptions = { root: string; publicBaseUrl: string; signingKey: SigningKey; now?: () => Date }

export function createFsStore({
  root,
  publicBaseUrl,
  signingKey,
  now = () => new Date(),
}: FsStoreOptions): ObjectStore {
  checkSigningKey(signingKey)
  const folders = openFolders(root, now())

  async function openObject(key: string) {
    const path = pathOf(folders, key)
    return (await hasFolder(dirname(path))) ? openObjectFile(path) : undefined
  }

  return {
    put: (key, body, { contentType, maxBytes, ifAbsent = false }) =>
      owning(body, async () => {
        const path = pathOf(folders, key)
        checkContentType(contentType)
        const incoming = join(folders.incoming, randomUUID())
        try {
          const stored = await writeObjectFile(incoming, body, contentType, maxBytes)
          await makeFolders(folders.objects, dirname(path))
          await (ifAbsent ? linkNew(incoming, path) : rename(incoming, path))
          await syncFolder(dirname(path))
          return stored
        } finally {
          await rm(incoming, { force: true })
        }
      }),

    async get(key, range) {
      if (range) checkRange(range)
      const object = await openObject(key)
      if (!object) return undefined
      const { file, contentType, bodyStart, bytes: totalBytes } = object
      const start = range?.start ?? 0
      const bytes = Math.min((range?.end ?? totalBytes) + 1, totalBytes) - start
      if (bytes <= 0) {
        await file.close()
        if (range) throw new RangeNotSatisfiable()
        return { body: Readable.from([]), bytes: 0, totalBytes, contentType }
      }
      const body = file.createReadStream({ start: bodyStart + start, end: bodyStart + start + bytes - 1 })
      return { body, bytes, totalBytes, contentType }
    },

    async head(key) {
      const object = await openObject(key)
      await object?.file.close()
      return object && { bytes: object.bytes, contentType: object.contentType }
    },

    async delete(key) {
      const path = pathOf(folders, key)
      if (!(await hasFolder(dirname(path)))) return
      await rm(path, { force: true })
      await syncFolder(dirname(path))
    },

    async *list(prefix) {
      checkPrefix(prefix)
      yield* listFolder(folders, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix)
    },

    async signedUrl(key, options) {
      return signUrl({ publicBaseUrl, signingKey, now: now() }, key, options)
    },

    async check() {
      await access(folders.objects, constants.R_OK | constants.W_OK | constants.X_OK)
      const probe = join(folders.incoming, randomUUID())
      try {
        await writeFile(probe, 'probe', { flag: 'wx', flush: true })
      } finally {
        await rm(probe, { force: true })
      }
    },
  }
}

function pathOf(folders: Folders, key: string): string {
  checkKey(key)
  return join(folders.objects, `${key}${SUFFIX}`)
}

async function linkNew(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ObjectExists() : error
  })
}

/** In the order of the whole keys, like S3. */
async function* listFolder(folders: Folders, folder: string, prefix: string): AsyncGenerator<string> {
  const path = resolve(folders.objects, folder)
  if (!(await hasFolder(path))) return
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries.flatMap((entry) => {
    if (entry.isDirectory()) return [`${folder}${entry.name}/`]
    return entry.isFile() && entry.name.endsWith(SUFFIX) ? [`${folder}${entry.name.slice(0, -SUFFIX.length)}`] : []
  })
  for (const name of names.sort()) {
    if (!name.endsWith('/') && name.startsWith(prefix)) yield name
    else if (name.endsWith('/') && (name.startsWith(prefix) || prefix.startsWith(name))) {
      yield* listFolder(folders, name, prefix)
    }
  }
}
