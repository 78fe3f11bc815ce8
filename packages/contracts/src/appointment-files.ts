import { type Static, Type } from 'typebox'
import { Id, Nullable, Text, Timestamp } from './shapes.ts'

export const MAX_APPOINTMENT_FILE_BYTES = 10 * 1024 * 1024
export const MAX_APPOINTMENT_FILES = 50

export const AppointmentFile = Type.Object({
  id: Id,
  appointment_id: Id,
  name: Text(200, 'Bilet de trimitere.pdf'),
  size: Type.Integer({ description: 'Bytes', examples: [48_213] }),
  mime: Type.String({ examples: ['application/pdf'] }),
  uploaded_by_principal_id: Nullable(Id),
  uploaded_at: Timestamp,
})
export type AppointmentFile = Static<typeof AppointmentFile>

export const AppointmentFileParams = Type.Object({ id: Id, fileId: Id })
