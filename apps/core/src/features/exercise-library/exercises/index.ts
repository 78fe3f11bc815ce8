export { exerciseNotFound, platformExercise } from './errors.ts'
export {
  checkTags,
  createInLibrary,
  exerciseResource,
  inLibrary,
  openExercise,
  readExercise,
  takeIntoLibrary,
} from './library.ts'
export { type LibraryTx, listContraindications, listInstructions } from './parts-queries.ts'
export {
  countInstructions,
  type ExerciseRow,
  findExerciseRow,
  findExerciseRowBySlug,
} from './queries.ts'
