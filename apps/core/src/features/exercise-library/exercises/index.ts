export { exerciseNotFound, platformExercise } from './errors.ts'
export {
  checkTags,
  createInLibrary,
  inLibrary,
  openExercise,
  readExercise,
  record,
  takeIntoLibrary,
} from './library.ts'
export { type LibraryTx, listContraindications, listInstructions } from './parts-queries.ts'
export {
  countInstructions,
  type ExerciseRow,
  findExerciseRow,
  findExerciseRowBySlug,
} from './queries.ts'
