export { isUnset, valueProblem } from '@tendon/contracts'
export { asksNationalId, isNationalIdField } from './rules.ts'
export {
  findFieldsForForm,
  listPrivateFields,
  listProfileFields,
  lockValues,
  type PublishedDefinition,
  READING_PRIVATE,
  readValues,
  type StoredValue,
  upsertValues,
} from './value-queries.ts'
