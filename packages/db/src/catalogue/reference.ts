import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogueObject } from './snapshot/index.ts'

// What the database must look like, written by "npm run generate" from a database that was just migrated: one line for
// each object. Definitions are printed differently by different major versions of PostgreSQL, so there is a file for
// each of two majors; the one for the older major holds only the lines in which it differs.

export const BASE_MAJOR = 18
const OLDER_MAJOR = 15

export type Reference = ReadonlyMap<string, CatalogueObject>

export const referencePath = (major: number): string => `database/catalogue-${major}.txt`

export function formatReference(objects: readonly CatalogueObject[], head: string): string {
  const lines = objects.map(formatObject).sort()
  return `# ${head}\n# Written by "npm run generate". Object: facts @source #definition (the first 16 digits of SHA-256)\n${lines.join('\n')}\n`
}

const formatObject = ({ object, facts, source, definition }: CatalogueObject): string =>
  `${object}: ${facts}${source === null ? '' : ` @${source}`}${definition === null ? '' : ` #${definition}`}`

const LINE = /^(.+?): (.+?)(?: @([0-9a-f]{16}))?(?: #([0-9a-f]{16}))?$/

export function parseReference(text: string): Map<string, CatalogueObject> {
  const objects = new Map<string, CatalogueObject>()
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue
    const [, object, facts, source = null, definition = null] = LINE.exec(line) ?? []
    if (object === undefined || facts === undefined) throw new Error(`This line of a reference is malformed: ${line}`)
    objects.set(object, { object, facts, source, definition })
  }
  return objects
}

/** Marks, in the file of the older major, a member of an extension that only the newer one has. */
export const ABSENT = 'absent'

export const ofExtension = ({ facts }: CatalogueObject): boolean => facts.startsWith('of extension ')

/** The objects that are not printed as in the reference, and those of the reference that are not there. */
export function differing(objects: readonly CatalogueObject[], base: Reference): CatalogueObject[] {
  const changed = objects.filter((object) => {
    const other = base.get(object.object)
    return other === undefined || formatObject(other) !== formatObject(object)
  })
  const present = new Set(objects.map(({ object }) => object))
  const absent = [...base.keys()].filter((object) => !present.has(object))
  return [...changed, ...absent.map((object) => ({ object, facts: ABSENT, source: null, definition: null }))]
}

interface ReferenceOfMajor {
  objects: Reference
  /** What a cluster that was upgraded may keep from before: members of extensions, and our own uuidv7. */
  alternatives: Reference
  /** Whether there is a file for this major; else its definitions cannot be compared. */
  isExact: boolean
}

const isKept = (object: CatalogueObject) => ofExtension(object) || object.object === 'function uuidv7()'

/** The reference for a major version. For one without a file: the base without definitions. */
export async function readReference(root: string, major: number): Promise<ReferenceOfMajor> {
  const [base, older] = await Promise.all(
    [BASE_MAJOR, OLDER_MAJOR].map(async (of) => parseReference(await readFile(join(root, referencePath(of)), 'utf8'))),
  )
  const objects = base ?? new Map()
  const differences = older ?? new Map()
  const kept = (all: Reference) => new Map([...all].filter(([name, object]) => isKept(objects.get(name) ?? object)))
  if (major === OLDER_MAJOR) {
    const merged = [...new Map([...objects, ...differences])].filter(([, { facts }]) => facts !== ABSENT)
    return { objects: new Map(merged), alternatives: kept(objects), isExact: true }
  }
  return { objects, alternatives: kept(differences), isExact: major === BASE_MAJOR }
}
