import type { Reference } from './reference.ts'
import type { CatalogueObject } from './snapshot.ts'

export interface Differences {
  /** Each stops the start of a server. */
  problems: string[]
  /** What cannot be judged: objects and functions of a newer release. */
  unknown: string[]
}

export interface CompareOptions {
  /** Whether the reference was made by the same major version of PostgreSQL. */
  isExact: boolean
  /** Whether a newer release has migrated the database. */
  isNewer: boolean
}

/** What the database says, against what the repository says. */
export function compare(reference: Reference, found: readonly CatalogueObject[], options: CompareOptions): Differences {
  const problems: string[] = []
  const unknown: string[] = []
  const present = new Map(found.map((object) => [object.object, object]))
  for (const wanted of reference.values()) {
    const actual = present.get(wanted.object)
    if (actual === undefined) problems.push(`${wanted.object} is missing`)
    else if (actual.facts !== wanted.facts)
      problems.push(`${wanted.object} is "${actual.facts}", not "${wanted.facts}"`)
    else if (hasOtherText(wanted, actual, options.isExact)) {
      const isNewFunction = options.isNewer && wanted.object.startsWith('function ')
      ;(isNewFunction ? unknown : problems).push(`${wanted.object} has another definition`)
    }
  }
  for (const { object, facts } of found) {
    if (reference.has(object)) continue
    ;(options.isNewer ? unknown : problems).push(`${object} ("${facts}") is not part of this release`)
  }
  return { problems: problems.sort(), unknown: unknown.sort() }
}

function hasOtherText(wanted: CatalogueObject, actual: CatalogueObject, isExact: boolean): boolean {
  return wanted.source !== actual.source || (isExact && wanted.definition !== actual.definition)
}
