import type { PdfTemplate } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'

const resource = {
  target: ({ id, name }: PdfTemplate) => ({ type: 'pdf_template', id, label: name }),
  payload: ({ id, version }: PdfTemplate) => ({ pdf_template_id: id, version }),
}

export const recordContent = recorder({
  ...resource,
  facts: ({ name, kind, language, blocks }) => ({ name, kind, language, blocks }),
  acts: {
    created: { action: 'pdf_templates.create', crud: 'C', event: 'pdf_template.created' },
    updated: { action: 'pdf_templates.update', crud: 'U', event: 'pdf_template.updated' },
    deleted: { action: 'pdf_templates.delete', crud: 'D', event: 'pdf_template.deleted' },
    restored: { action: 'pdf_templates.restore', crud: 'U', event: 'pdf_template.restored' },
  },
})

export const recordStatus = recorder({
  ...resource,
  facts: ({ status, version }) => ({ status, version }),
  acts: {
    published: { action: 'pdf_templates.publish', crud: 'U', event: 'pdf_template.published' },
    archived: { action: 'pdf_templates.archive', crud: 'U', event: 'pdf_template.archived' },
    unarchived: { action: 'pdf_templates.unarchive', crud: 'U', event: 'pdf_template.unarchived' },
  },
})
