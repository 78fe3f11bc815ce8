import { type Constraints, refusal } from '@tendon/http'

export const instructionNotFound = refusal(
  404,
  'instruction_not_found',
  'This exercise has no instruction with this id. GET /v1/exercises/{id}/instructions lists those it has.',
)
export const lastInstruction = refusal(
  409,
  'last_instruction',
  'A published exercise needs at least one instruction. Add another one first, or archive the exercise.',
)

export const instructionConstraints: Constraints = {}
