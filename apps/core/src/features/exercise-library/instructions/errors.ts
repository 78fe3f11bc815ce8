import { refusal } from '@tendon/http'

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

export const imageTooLarge = refusal(
  400,
  'file_too_large',
  'The image is larger than {max_file_size} bytes. Send a smaller one.',
  { max_file_size: 5_242_880 },
)
export const invalidImageType = refusal(
  400,
  'invalid_file_type',
  'An image must have one of the types in "allowed_file_types". The content must match its media type.',
  { allowed_file_types: ['image/jpeg', 'image/png', 'image/webp'] },
)
