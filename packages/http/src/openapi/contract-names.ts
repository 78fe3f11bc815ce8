import * as contracts from '@tendon/contracts'
import { isJsonSchema, type JsonSchema } from '../json-schema.ts'
import { capital } from './naming.ts'

/** A contract that is a component of the document, under the name that @tendon/contracts exports it by. */
interface NamedContract {
  name: string
  schema: JsonSchema
}

/** Copies of a contract (`Type.Optional`, `Nullable`, a description of its own) share this member with it. */
export const coreOf = ({ properties, patternProperties }: JsonSchema): object | undefined =>
  properties ?? patternProperties

/** By the member that copies share. Contracts stay as they are: validators and serializers see no reference. */
export function contractNames(): ReadonlyMap<object, NamedContract> {
  const names = new Map<object, NamedContract>()
  const add = (name: string, schema: unknown) => {
    if (!isJsonSchema(schema)) return
    const core = coreOf(schema)
    if (core && !names.has(core)) names.set(core, { name, schema })
  }
  for (const [name, value] of Object.entries(contracts)) {
    if (/^[A-Z][a-z]/.test(name)) add(name, value)
  }
  for (const [axis, { tag, created, changed }] of Object.entries(contracts.taxonomyContracts)) {
    const name = `Exercise${axis.split('_').map(capital).join('')}`
    add(name, tag)
    add(`New${name}`, created)
    add(`${name}Changes`, changed)
  }
  return names
}
