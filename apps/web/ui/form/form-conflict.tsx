import { Conflict } from '../feedback/conflict.tsx'
import type { Stale } from '../feedback/stale.ts'
import { shownValue } from '../field-form/shown-value.ts'
import { valueAt } from './body.ts'

export interface ConflictingForm {
  conflict: {
    stale: Stale | undefined
    mine: Readonly<Record<string, unknown>>
    theirs: Readonly<Record<string, unknown>>
    onTheirs: () => void
    onMine: () => void
    onClose: () => void
  }
}

interface FormConflictProps<Name extends string> {
  form: ConflictingForm
  /** The paths of the fields that are compared, with their labels. */
  labels: Readonly<Record<Name, string>>
  /** A value as it is read. Default: its text. */
  shown?: (name: Name, value: unknown) => string
}

/** Somebody else has saved what the form changes: shows both, field by field, and the person decides. */
export function FormConflict<Name extends string>({ form, labels, shown }: FormConflictProps<Name>) {
  const { mine, theirs, ...conflict } = form.conflict
  const textOf = (name: Name, value: unknown) => shown?.(name, value) ?? shownValue(value)
  return (
    <Conflict
      {...conflict}
      differences={namesOf(labels)
        .map((name) => ({
          label: labels[name],
          theirs: textOf(name, valueAt(theirs, name)),
          mine: textOf(name, valueAt(mine, name)),
        }))
        .filter((difference) => difference.theirs !== difference.mine)}
    />
  )
}

const isName = <Name extends string>(labels: Readonly<Record<Name, string>>, name: string): name is Name =>
  name in labels
const namesOf = <Name extends string>(labels: Readonly<Record<Name, string>>): Name[] =>
  Object.keys(labels).filter((name): name is Name => isName(labels, name))
