import { type Static, Type } from 'typebox'
import { Id, Text, Timestamp } from './shapes.ts'

export const FormFile = Type.Object({
  s3_key: Type.String({
    description: 'The key in the object store.',
    examples: ['form-files/019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17/019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a18.pdf'],
  }),
  name: Text(200, 'Bilet de trimitere.pdf'),
  size: Type.Integer({ description: 'Bytes', examples: [48_213] }),
  mime: Type.String({ examples: ['application/pdf'] }),
  uploaded_at: Timestamp,
})
export type FormFile = Static<typeof FormFile>

/** The key under which a form's `values` and `files` name the field. */
const FieldKey = Type.String({ minLength: 1, maxLength: 100, examples: ['field_referral'] })

export const FormFileParams = Type.Object({ id: Id, fieldKey: FieldKey })

export const UploadedFormFile = Type.Object({
  field_key: FieldKey,
  file: FormFile,
  signed_url: Type.String({
    description: 'Signed URL of the file, valid for 15 minutes.',
    examples: ['https://api.tendon.example/v1/public/objects/form-files/…?expires=…&signature=…'],
  }),
})

export const DeletedFormFile = Type.Object({
  field_key: FieldKey,
  message: Type.String({ examples: ['The file was deleted.'] }),
})

export const FileRedirect = Type.Null({
  description: 'The signed URL of the file, valid for 15 minutes, is in `Location`. No body.',
})
