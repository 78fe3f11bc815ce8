import { type TProperties, Type } from 'typebox'

// Objects of several types, each with its own members. A request is checked in two steps: by one contract with the members of
// all types, then against the contract of its type, so that a refusal names the type instead of the problems of every choice.

interface Shape {
  properties: TProperties
  required?: string[] | undefined
}

/** Every member optional. */
export const optional = <Members extends TProperties>(members: Members) => Type.Partial(Type.Object(members)).properties

/** What the contract of its type requires and the object lacks, and what the object has and its type does not take. */
export function misplaced(
  { properties, required = [] }: Shape,
  given: object,
): { missing: string[]; unused: string[] } {
  return {
    missing: required.filter((name) => Reflect.get(given, name) === undefined),
    unused: Object.keys(given).filter((name) => !Object.hasOwn(properties, name)),
  }
}

/** For the API reference: the members of each type, those that may be left out with a question mark. */
export const membersByType = (choices: Readonly<Record<string, Shape>>): string =>
  Object.entries(choices)
    .map(([type, { properties, required = [] }]) => {
      const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
      return `\`${type}\`: ${names.join(', ') || 'none'}`
    })
    .join('; ')
