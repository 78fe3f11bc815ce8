import { useForm } from '@mantine/form'
import type { ApiError } from '@tendon/sdk'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { AnswerOf, Route } from '../api/queries.ts'
import { staleOf } from '../feedback/stale.ts'
import { useUnsavedGuard } from '../feedback/use-unsaved-guard.ts'
import { focusFirstProblem, type Refused, useFieldProblems } from '../field-form/field-problems.ts'
import { bodyOf, isRecord, numberOf, rowOf, shownNumber, textOf, valueAt } from './body.ts'
import { bodyRules } from './body-rules.gen.ts'
import { checkBody, type Reasons, type Rules } from './rules.ts'
import type { BodyOf, ElementOf, HeldBody, Part, PathsTo, RowOf, TextPaths, Unknown, Values } from './types.ts'

/** What `useWrite` returns. */
export interface FormWrite<Name extends Route> {
  route: Name
  data: AnswerOf<Name> | undefined
  error: ApiError | null
  isPending: boolean
  isSuccess: boolean
  reset: () => void
}

export interface ApiFormOptions<Name extends Route, First> {
  /** The version of the row that `first` shows; with `valuesOf` for a form of something that others change as well. */
  version?: number | undefined
  /** The values of a row of the API: of the answer, and of what somebody else has saved. */
  valuesOf?: (row: Partial<RowOf<Name>>) => First
  /** Makes of the form's fields what the API takes, where they differ, such as a price. */
  adapt?: (body: Record<string, unknown>, stored: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** `adapt` leaves out what was not changed: the API keeps it as somebody else has saved it. */
  sendsChanges?: boolean
  /** What is wrong that the contract of the route does not tell, by field. */
  check?: (values: Readonly<Record<string, unknown>>) => Reasons
  /** Something beside the fields was changed. */
  isMoreChanged?: boolean
  /** False: leaving is what the page offers, so typed text is given up without a question. */
  isGuarded?: boolean
  /** A step within the page, by its query, keeps the fields. */
  isKeptInSteps?: boolean
  /** Field → a text for its problem that says more than the general one. */
  problemTexts?: Readonly<Record<string, string>>
  /** What would be lost by leaving. Left out: what was typed. */
  leaveText?: string | undefined
}

type Fields = Record<string, unknown>
interface Stored {
  values: Fields
  version: number
  /** What was sent when these values were saved. */
  sent?: Fields | undefined
}

const NOTHING_EDITED = { since: null, names: new Set<string>() }

/** The saved values, and over them what was changed since `before`. */
const withSaved = (now: Fields, before: Fields, saved: Fields): Fields =>
  Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const [was, is] = [before[name], saved[name]]
      if (isRecord(value) && isRecord(was) && isRecord(is)) return [name, withSaved(value, was, is)]
      return [name, isSame(value, was) ? is : value]
    }),
  )

const heldBy = (row: Fields, valuesOf: (row: never) => object): Fields => ({ ...valuesOf(row as never) })

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The form of a body of the API, and the only one: `text('name')` goes onto a Mantine input, and takes only names and values
 * that the body has. Plain mistakes are shown before anything is sent; after a 422 the problems stand at their fields, and the
 * focus is on the first. Asks before typed text is lost, and after a version conflict whose version counts.
 */
export function useApiForm<
  Name extends Route,
  const First extends HeldBody<BodyOf<Name>>,
  Body extends BodyOf<Name> = BodyOf<Name>,
>(write: FormWrite<Name>, first: First & Unknown<Body, First>, options: ApiFormOptions<Name, HeldBody<Body>> = {}) {
  const { isMoreChanged = false, isGuarded = true, isKeptInSteps = false, sendsChanges = false } = options
  const rules: Readonly<Record<string, Rules>> = bodyRules[write.route] ?? {}
  const form = useForm<Fields>({ initialValues: { ...first } })
  const { values, setValues } = form
  const { valuesOf } = options
  const [stored, setStored] = useState<Stored>({ values: { ...first }, version: options.version ?? 1 })
  const base: Fields = valuesOf ? stored.values : first
  // Another change of the row increases its version without touching these fields.
  const isAsRead = isSame(first, stored.values)
  const version = isAsRead ? Math.max(stored.version, options.version ?? 1) : stored.version

  // What is typed while it is being saved is not saved.
  const [sent, setSent] = useState<Fields>()
  const isDirty = !isSame(values, base)
  const isSaved = () => (write.isPending || write.isSuccess) && sent === values
  const mayLeave = useUnsavedGuard(() => isGuarded && (isDirty || isMoreChanged) && !isSaved(), {
    isKeptInSteps,
    text: () => options.leaveText,
  })
  const [answer, setAnswer] = useState(write.data)
  if (answer !== write.data) {
    setAnswer(write.data)
    const row = rowOf(write.data)
    if (row && valuesOf)
      setStored({
        values: heldBy(row, valuesOf),
        version: typeof row.version === 'number' ? row.version : version,
        sent,
      })
  }
  useEffect(() => {
    if (stored.sent) setValues((now) => withSaved(now, stored.sent ?? {}, stored.values))
  }, [stored, setValues])

  // What this page or the API has refused, without the fields that were changed since.
  const [mistakes, setMistakes] = useState<Refused | null>(null)
  const refused: Refused | null = write.error ?? mistakes
  const [edited, setEdited] = useState<{ since: Refused | null; names: ReadonlySet<string> }>(NOTHING_EDITED)
  const changed = edited.since === refused ? edited.names : NOTHING_EDITED.names
  const problemsOf = useFieldProblems()
  const problems = problemsOf(refused)
  const error = (path: string) =>
    path in problems && ![...changed].some((name) => path === name || path.startsWith(`${name}.`))
      ? (options.problemTexts?.[path] ?? problems[path])
      : undefined
  useEffect(() => {
    if (refused) focusFirstProblem(Object.keys(refused.fields))
  }, [refused])
  const stale = staleOf(write.error)
  const theirs = stale && valuesOf && heldBy(stale.current, valuesOf)

  type Send = (body: Part<Body, First>, version: number) => void
  const lastSend = useRef<Send>(undefined)
  const send = (by: Send | undefined, of: number) => {
    if (write.isPending) return
    const plain = bodyOf(values, base, rules)
    const body = options.adapt?.(plain, base) ?? plain
    const reasons = { ...checkBody(body, rules, Object.keys(values)), ...options.check?.(values) }
    const names = Object.keys(reasons)
    if (names.length > 0) {
      write.reset()
      setMistakes({ fields: Object.fromEntries(names.map((name) => [name, ''])), reasons })
      return
    }
    setMistakes(null)
    setSent(values)
    lastSend.current = by
    by?.(body as Part<Body, First>, of)
  }

  const set = (path: string, value: unknown) => {
    form.setFieldValue(path, value)
    setEdited({ since: refused, names: new Set(changed).add(path) })
  }
  const [typedNumber, setTypedNumber] = useState<{ path: string; text: string }>()
  const field = (path: string) => ({ name: path, error: error(path) })
  const typed = (path: string) => ({
    ...field(path),
    value: textOf(valueAt(values, path)),
    onChange: (event: { currentTarget: { value: string } }) => set(path, event.currentTarget.value),
  })
  const own = Object.keys(write.error?.fields ?? {}).filter((path) => (path.split('.')[0] ?? '') in values)

  const held = values as Values<Body, First>

  return {
    values: held,
    version,
    isDirty,
    mayLeave,
    /** For `<form onSubmit={…}>`. The page adds what the fields do not have. */
    onSubmit: (by: Send) => (event?: SyntheticEvent) => {
      event?.preventDefault()
      send(by, version)
    },
    text: (path: TextPaths<Body, First>) => typed(path),
    /** For a `DateField`. */
    date: (path: TextPaths<Body, First>) => typed(path),
    select: (path: PathsTo<Body, First, string>) => typed(path),
    /** For a group of radio buttons. */
    radio: (path: PathsTo<Body, First, string>) => ({
      ...typed(path),
      onChange: (value: string) => set(path, value),
    }),
    number: (path: PathsTo<Body, First, number>) => ({
      ...typed(path),
      value: shownNumber(typedNumber?.path === path ? typedNumber.text : undefined, valueAt(values, path)),
      inputMode: 'decimal' as const,
      onChange: ({ currentTarget: { value: text } }: { currentTarget: { value: string } }) => {
        setTypedNumber({ path, text })
        set(path, numberOf(text))
      },
    }),
    checked: (path: PathsTo<Body, First, boolean>) => ({
      ...field(path),
      checked: valueAt(values, path) === true,
      onChange: (event: { currentTarget: { checked: boolean } }) => set(path, event.currentTarget.checked),
    }),
    /** For two radio buttons, "yes" and "no". */
    yesNo: (path: PathsTo<Body, First, boolean>) => ({
      ...field(path),
      value: valueAt(values, path) === true ? 'yes' : 'no',
      onChange: (value: string) => set(path, value === 'yes'),
    }),
    /** For a group of check boxes. */
    choices: (path: PathsTo<Body, First, readonly (string | number)[]>) => {
      const value = valueAt(values, path)
      const isNumeric = rules[path]?.items?.type !== undefined
      return {
        ...field(path),
        value: Array.isArray(value) ? value.map(String) : [],
        onChange: (chosen: string[]) => set(path, isNumeric ? chosen.map(Number) : chosen),
      }
    },
    /** A field that the clinic defines, by its path in the body. */
    question: (path: string) => ({
      ...field(path),
      value: valueAt(values, path),
      onChange: (value: unknown) => set(path, isEmpty(value) ? '' : value),
    }),
    /** A list whose elements have fields of their own. */
    rows: <Path extends PathsTo<Body, First, readonly object[]>>(path: Path) => {
      type Row = ElementOf<Body[Path & keyof Body]>
      const rows = (valueAt(values, path) ?? []) as readonly Row[]
      const change = (next: readonly Row[]) => set(path, next)
      return {
        rows,
        add: (row: Row) => change([...rows, row]),
        change: (place: number, part: Partial<Row>) =>
          change(rows.map((row, other) => (other === place ? Object.assign({}, row, part) : row))),
        remove: (place: number) => change(rows.filter((_, other) => other !== place)),
        error: (place: number, name: Extract<keyof Row, string>) => error(`${path}.${place}.${name}`),
      }
    },
    set: <Field extends keyof Values<Body, First> & string>(name: Field, value: Values<Body, First>[Field]) =>
      set(name, value),
    setValues: (next: Partial<Values<Body, First>>) => setValues(next),
    error,
    /** What is not said at a field; for `<Problem error={…}>`. */
    problem: stale || (write.error?.status === 422 && own.length > 0) ? null : write.error,
    /** For `<FormConflict form={…}>`. */
    conflict: {
      stale: theirs && stale,
      mine: { ...held, ...(theirs && sendsChanges && withSaved(values, base, theirs)) },
      theirs: { ...theirs } as Partial<Values<Body, First>>,
      onTheirs: () => {
        if (stale && theirs) {
          setStored({ values: theirs, version: stale.version })
          setValues(theirs)
        }
        write.reset()
      },
      onMine: () => stale && send(lastSend.current, stale.version),
      onClose: () => write.reset(),
    },
  }
}
