import { MAX_APPOINTMENT_FILE_BYTES, MAX_APPOINTMENT_FILES } from '@tendon/contracts'
import { refusal } from '@tendon/http'

export const appointmentFileNotFound = refusal(
  404,
  'file_not_found',
  'This appointment has no file with this id. GET /v1/appointments/{id}/files lists its files.',
)
export const appointmentFileTooLarge = refusal(
  400,
  'file_too_large',
  'The file is larger than {max_file_size} bytes. Send a smaller file.',
  { max_file_size: MAX_APPOINTMENT_FILE_BYTES },
)
export const invalidAppointmentFileType = refusal(
  400,
  'invalid_file_type',
  'An appointment accepts the file types in "allowed_file_types". The content must match its media type.',
  { allowed_file_types: ['application/pdf'] },
)
export const tooManyFiles = refusal(
  409,
  'too_many_files',
  'This appointment already has {max} files, the maximum. Delete one first.',
  { max: MAX_APPOINTMENT_FILES },
)
export const notYourFile = refusal(403, 'forbidden', 'Only the clinic can delete a file that you did not upload.')
