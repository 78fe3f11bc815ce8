import { isFilledIn } from '@tendon/contracts'

/** The name, unless nobody entered one or it says nothing, such as "-". */
export const nameOr = <Otherwise extends string | null>(name: string | null, otherwise: Otherwise) =>
  name !== null && isFilledIn(name) ? name : otherwise
