import { ABSENT, ofExtension, type Reference } from './reference.ts'
import type { CatalogueObject } from './snapshot/index.ts'

export interface Differences {
  /** Each stops the start of a server. */
  problems: string[]
  /** What cannot be judged: objects and functions of a newer release. */
  unknown: string[]
}

interface CompareOptions {
  /** Whether the reference was made by the same major version of PostgreSQL. */
  isExact: boolean
  /** Whether a newer release has migrated the database. */
  isNewer: boolean
  /** Objects that may also be as another major has them. */
  alternatives?: Reference
}

/** The text of a function changes with every release. */
const FUNCTION = /^(function|procedure|aggregate|window function) /
/** A newer release may have dropped or widened these; but never the column that says whose a row is. */
const TABLE_PART = /^(index|column) (?!.*\.organization_id$)/

/** What the database says, against what the repository says. */
export function compare(reference: Reference, found: readonly CatalogueObject[], options: CompareOptions): Differences {
  const problems: string[] = []
  const unknown: string[] = []
  const isAlternative = ({ object, facts, source }: CatalogueObject) => {
    const other = options.alternatives?.get(object)
    return other?.facts === facts && other.source === source
  }
  const present = new Map(found.map((object) => [object.object, object]))
  for (const wanted of reference.values()) {
    const actual = present.get(wanted.object)
    const changed = options.isNewer && TABLE_PART.test(wanted.object) ? unknown : problems
    if (actual === undefined) {
      if (options.alternatives?.get(wanted.object)?.facts === ABSENT) continue
      changed.push(`${wanted.object} is missing`)
    } else if (isAlternative(actual)) continue
    else if (actual.facts !== wanted.facts) changed.push(`${wanted.object} is "${actual.facts}", not "${wanted.facts}"`)
    else if (hasOtherText(wanted, actual, options.isExact)) {
      const isNewFunction = options.isNewer && FUNCTION.test(wanted.object) && !ofExtension(wanted)
      ;(isNewFunction ? unknown : changed).push(`${wanted.object} has another definition`)
    }
  }
  for (const actual of found) {
    if (reference.has(actual.object) || isAlternative(actual)) continue
    ;(options.isNewer ? unknown : problems).push(`${actual.object} ("${actual.facts}") is not part of this release`)
  }
  return { problems: problems.sort(), unknown: unknown.sort() }
}

function hasOtherText(wanted: CatalogueObject, actual: CatalogueObject, isExact: boolean): boolean {
  return wanted.source !== actual.source || (isExact && wanted.definition !== actual.definition)
}
