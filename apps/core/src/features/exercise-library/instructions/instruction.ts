import { type LibraryTx, openExercise } from '../exercises/index.ts'
import { instructionNotFound } from './errors.ts'
import { findInstruction } from './queries.ts'

/** Locks the exercise and finds one of its instructions. */
export async function openInstruction(tx: LibraryTx, params: { id: string; instructionId: number }) {
  const exercise = await openExercise(tx, params.id)
  const instruction = await findInstruction(tx, exercise.id, params.instructionId)
  if (!instruction) throw instructionNotFound()
  return { exercise, instruction, payload: { instruction_id: instruction.id } }
}
