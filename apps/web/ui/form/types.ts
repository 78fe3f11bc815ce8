import type { Routes } from '@tendon/sdk'
import type { AnswerOf, Route } from '../api/queries.ts'

/** What a route takes. Of several routes, such as those that create and change: what they have in common. */
export type BodyOf<Name extends Route> = Name extends Route
  ? Routes[Name] extends { body?: infer Body }
    ? Exclude<Body, undefined | null>
    : never
  : never

/** The row in the answer of a route. */
export type RowOf<Name extends Route> = Name extends Route
  ? AnswerOf<Name> extends { data: infer Row }
    ? Row
    : AnswerOf<Name>
  : never

type Given<Value> = Exclude<Value, undefined | null>
export type NamesOf<Body> = Extract<keyof Body, string>

/** What a control holds for a value of the API: text and choices that are not given are '', and so are numbers. */
export type Held<Value> =
  Given<Value> extends string
    ? Given<Value> | ''
    : Given<Value> extends number
      ? number | ''
      : Given<Value> extends boolean
        ? boolean
        : Given<Value> extends readonly unknown[]
          ? Readonly<Given<Value>>
          : Given<Value> extends object
            ? HeldBody<Given<Value>>
            : unknown

/** The fields that a form may have for a body. */
export type HeldBody<Body> = { [Name in NamesOf<Body>]?: Held<Body[Name]> }

/** A form's own fields: those of its first values, as the body has them. */
export type Values<Body, First> = {
  [Name in keyof First & NamesOf<Body>]-?: Given<Body[Name]> extends readonly unknown[] | string | number | boolean
    ? Held<Body[Name]>
    : First[Name] extends object
      ? Values<Given<Body[Name]>, First[Name]>
      : Held<Body[Name]>
}

/** A first value under a name that the body does not have. */
export type Unknown<Body, First> = { [Name in Exclude<keyof First, NamesOf<Body>>]: never }

/** The paths of fields whose value is of a kind: `name`, `booker.email`. */
export type PathsTo<Body, First, Kind> = {
  [Name in keyof First & NamesOf<Body>]: Given<Body[Name]> extends Kind
    ? Name
    : Given<Body[Name]> extends readonly unknown[]
      ? never
      : Given<Body[Name]> extends object
        ? `${Name}.${PathsTo<Given<Body[Name]>, First[Name], Kind>}`
        : never
}[keyof First & NamesOf<Body>]

/** The paths of free text: an enumeration is no text. */
export type TextPaths<Body, First> = {
  [Name in keyof First & NamesOf<Body>]: string extends Given<Body[Name]>
    ? Name
    : Given<Body[Name]> extends readonly unknown[] | string | number | boolean
      ? never
      : Given<Body[Name]> extends object
        ? `${Name}.${TextPaths<Given<Body[Name]>, First[Name]>}`
        : never
}[keyof First & NamesOf<Body>]

/** The element of a list. */
export type ElementOf<Value> = Given<Value> extends readonly (infer Element)[] ? Element : never

/** The fields of the form as the API takes them; of several routes: as each of them does. */
export type Part<Body, First> = (
  Body extends unknown
    ? (part: Pick<Body, keyof Body & keyof First>) => void
    : never
) extends (part: infer Both) => void
  ? Both
  : never
