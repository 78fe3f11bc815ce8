import type { FormTemplate } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'
import type { Template } from './rules.ts'

export const contentOf = ({
  title,
  description,
  type,
  fields,
  translations,
  consent_purposes,
  signed_by,
}: FormTemplate): Template => ({ title, description, type, fields, translations, consent_purposes, signed_by })

const resource = {
  target: ({ id, title }: FormTemplate) => ({ type: 'form_template', id, label: title }),
  payload: ({ id }: FormTemplate) => ({ form_template_id: id }),
}

export const recordContent = recorder({
  ...resource,
  facts: contentOf,
  acts: {
    created: { action: 'form_templates.create', crud: 'C', event: 'form_template.created' },
    updated: { action: 'form_templates.update', crud: 'U', event: 'form_template.updated' },
    deleted: { action: 'form_templates.delete', crud: 'D', event: 'form_template.deleted' },
    restored: { action: 'form_templates.restore', crud: 'U', event: 'form_template.restored' },
  },
})

export const recordStatus = recorder({
  ...resource,
  facts: ({ status, version }) => ({ status, version }),
  payload: ({ id, version }) => ({ form_template_id: id, version }),
  acts: {
    published: { action: 'form_templates.publish', crud: 'U', event: 'form_template.published' },
    archived: { action: 'form_templates.archive', crud: 'U', event: 'form_template.archived' },
    unarchived: { action: 'form_templates.unarchive', crud: 'U', event: 'form_template.unarchived' },
  },
})
