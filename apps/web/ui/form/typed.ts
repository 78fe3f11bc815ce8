import { isRecord } from './body.ts'

// The one place where the form's text keys meet the types of the API: the types of `useApiForm` allow only names and values
// that its route has, and the checks have seen the body.

export const asValues = <Values>(values: unknown): Values => values as Values
export const asPart = <Part>(body: Record<string, unknown>): Part => body as Part
export const apiValues = <Row>(row: Record<string, unknown>): Row => row as Row

/** The row in an answer, which may be the answer itself. */
export const rowOf = (answer: unknown): Record<string, unknown> | undefined => {
  if (!isRecord(answer)) return undefined
  return isRecord(answer.data) ? answer.data : answer
}
