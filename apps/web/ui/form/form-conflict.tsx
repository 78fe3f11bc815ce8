import { Conflict } from '../feedback/conflict.tsx'
import type { Stale } from '../feedback/stale.ts'
import { shownValue } from '../field-form/shown-value.ts'
import { valueAt } from './body.ts'

export interface ConflictingForm<Values extends object = object> {
  conflict: {
    stale: Stale | undefined
    mine: Values
    theirs: Partial<Values>
    onTheirs: () => void
    onMine: () => void
    onClose: () => void
  }
}

interface Row<Values extends object> {
  label: string
  /** What the row says of these values. */
  shown: (values: Partial<Values>) => string
}

interface FormConflictProps<Values extends object> {
  form: ConflictingForm<Values>
  /** What is compared: see `rowsOf`. */
  rows: readonly Row<Values>[]
  /** The person has taken what somebody else saved. */
  onTheirs?: () => void
}

/** Somebody else has saved what the form changes: shows both, row by row, and the person decides. */
export function FormConflict<Values extends object>({ form, rows, onTheirs }: FormConflictProps<Values>) {
  const { mine, theirs, ...conflict } = form.conflict
  return (
    <Conflict
      {...conflict}
      differences={rows
        .map(({ label, shown }) => ({ label, theirs: shown(theirs), mine: shown(mine) }))
        .filter((difference) => difference.theirs !== difference.mine)}
      onTheirs={() => {
        conflict.onTheirs()
        onTheirs?.()
      }}
    />
  )
}

/** A row for each field, by its path and its label. `shown`: a value as it is read; default: its text. */
export const rowsOf = <Path extends string>(
  labels: Readonly<Record<Path, string>>,
  shown: (path: Path, value: unknown) => string = (_, value) => shownValue(value),
): Row<object>[] =>
  pathsOf(labels).map((path) => ({ label: labels[path], shown: (values) => shown(path, valueAt(values, path)) }))

const isPath = <Path extends string>(labels: Readonly<Record<Path, string>>, path: string): path is Path =>
  path in labels
const pathsOf = <Path extends string>(labels: Readonly<Record<Path, string>>): Path[] =>
  Object.keys(labels).filter((path): path is Path => isPath(labels, path))
