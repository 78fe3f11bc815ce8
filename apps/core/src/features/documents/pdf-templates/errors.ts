import { refusal } from '@tendon/http'

export const pdfTemplateNotFound = refusal(
  404,
  'pdf_template_not_found',
  'Your clinic has no PDF template with this id, or the template has no such version. GET /v1/pdf-templates lists your templates.',
)
export const pdfTemplateArchived = refusal(
  409,
  'pdf_template_archived',
  'This template is archived. Unarchive it first with POST /v1/pdf-templates/{id}/unarchive.',
)
export const pdfTemplateNotArchived = refusal(409, 'pdf_template_not_archived', 'This template is not archived.')
export const templateNotPublished = refusal(
  409,
  'template_not_published',
  'This template has no published version. Publish it first with POST /v1/pdf-templates/{id}/publish.',
)
export const nothingToPublish = refusal(
  409,
  'nothing_to_publish',
  'The latest version of this template is already published. Change it first with PATCH /v1/pdf-templates/{id}.',
)
export const invalidBlocks = refusal(
  422,
  'invalid_blocks',
  'The blocks are not valid. See "fields" for what to change.',
  {
    fields: { 'blocks.0.text': 'must not contain {{form.title}}: a document of this kind has no such value' },
  },
)
export const imagesTooLarge = refusal(
  422,
  'images_too_large',
  'The images of this document have more than {max_bytes} bytes in total. Remove some of them or upload smaller ones.',
  { max_bytes: 20 * 1024 * 1024 },
)
export const unprintableCharacter = refusal(
  422,
  'unprintable_character',
  'The document cannot contain "{character}" ({code_point}), found in {field}: none of the fonts has it. Change the text there, then try again. Documents print Latin, Greek, Cyrillic, Arabic and Hebrew letters.',
  { character: '李', code_point: 'U+674E', field: 'patient.name' },
)
export const renderTimeout = refusal(
  503,
  'render_timeout',
  'The document was not ready in time. Try again; if it fails again, shorten the template.',
)
export const renderFailed = refusal(
  503,
  'render_failed',
  'The document could not be rendered. Check the images of its template, then try again.',
)
